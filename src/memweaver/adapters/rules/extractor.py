"""The extractor by rules: no key, no model to call."""

from asyncio import Task, get_running_loop, shield, wait
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from memweaver.adapters.rules.finding import aspect_of
from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.ports.extract import Extractor

Read = Callable[[Scene], Coroutine[Any, Any, Sequence[Candidate]]]
"""Finds the candidates of all aspects, off the event loop."""


class RuleExtractor(Extractor):
    def __init__(self, read: Read) -> None:
        self._read = read
        self._reading: dict[int, Task[Sequence[Candidate]]] = {}

    @property
    def name(self) -> str:
        return "rules"

    @property
    def repeatable(self) -> bool:
        return True

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        found = await shield(self._once(scene))  # who leaves does not take it from others
        return [one for one in found if aspect_of(one) is aspect]

    def _once(self, scene: Scene) -> Task[Sequence[Candidate]]:
        """All aspects of a scene are asked for side by side, and it is read once for them."""
        reading = self._reading.get(id(scene))
        if reading is None:
            reading = get_running_loop().create_task(self._read(scene))
            self._reading[id(scene)] = reading
            reading.add_done_callback(lambda task: self._ended(id(scene), task))
        return reading

    def _ended(self, scene: int, reading: Task[Sequence[Candidate]]) -> None:
        del self._reading[scene]
        if not reading.cancelled():
            reading.exception()  # seen, if all who asked have left

    async def close(self) -> None:
        """Let go of what is still being read."""
        if reading := list(self._reading.values()):
            for task in reading:
                task.cancel()
            await wait(reading)
