"""Lets callers who ask at the same time share one computation."""

from asyncio import get_running_loop
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

from memweaver.background import Answers, Awaited, tell
from memweaver.domain.memory import Vector

Run = Callable[[Sequence[str]], Sequence[Vector]]


@dataclass(frozen=True, slots=True)
class Asked(Awaited[Vector]):
    text: str


class Together:
    """A thread that takes along all who wait, up to `most` of them, and then those who came since.

    It never waits for the event loop, which has others to serve first. After a computation that
    fails each is computed alone, so that nobody bears the failure of another.
    """

    def __init__(self, run: Run, most: int, thread: str) -> None:
        self._run = run
        self._most = most
        self._thread = ThreadPoolExecutor(1, thread)
        self._waiting: deque[Asked] = deque()

    async def __call__(self, text: str) -> Vector:
        loop = get_running_loop()
        asked = Asked(loop, loop.create_future(), text)
        self._waiting.append(asked)
        self._thread.submit(self._serve)
        return await asked.future

    def close(self) -> None:
        """End the thread, once nobody waits."""
        self._thread.shutdown()

    def _serve(self) -> None:
        """Once for each who came: whoever was taken along before is not here any more."""
        if served := self._next():
            tell(served, self._answers(served))

    def _answers(self, served: Sequence[Asked]) -> Answers:
        try:
            made = self._run([one.text for one in served])
            return [partial(one.answer, vector) for one, vector in zip(served, made, strict=True)]
        except Exception as error:  # noqa: BLE001 - it is told to whoever asked
            if len(served) == 1:
                return [partial(served[0].fail, error)]
            return [answer for one in served for answer in self._answers([one])]

    def _next(self) -> Sequence[Asked]:
        """Those who wait and have not left."""
        served: list[Asked] = []
        while self._waiting and len(served) < self._most:
            if not (one := self._waiting.popleft()).left:
                served.append(one)
        return served
