"""Watch: the figures about what happens, with how much there is to do at this moment."""

from dataclasses import dataclass
from math import nan

from memweaver.domain.job import Depth, State
from memweaver.errors import BackendError
from memweaver.ports.clock import Clock
from memweaver.ports.meter import Figures
from memweaver.ports.queue import Queue


@dataclass(frozen=True, slots=True)
class Watch:
    queue: Queue
    figures: Figures
    clock: Clock

    async def __call__(self) -> str:
        """Every figure, as text. A queue that cannot be read is a figure too, not a failure."""
        try:
            self._note(await self.queue.depth())
        except BackendError:
            self._note(None)
        return self.figures.page()

    def _note(self, depth: Depth | None) -> None:
        """How much there is; "not a number" if unknown, so that no former number is believed."""
        counts = (depth.waiting, depth.running, depth.dead) if depth else (nan, nan, nan)
        for state, count in zip((State.WAITING, State.RUNNING, State.DEAD), counts, strict=True):
            self.figures.level("queue_jobs", count, state=state)
        age = depth.age(self.clock.now()).total_seconds() if depth else nan
        self.figures.level("queue_oldest_seconds", age)
        self.figures.level("queue_readable", 1 if depth else 0)
