"""Unqueued: turns that could leave no job are reflected upon while their caller waits."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from weakref import WeakValueDictionary

from memweaver.domain.event import Event, EventKind
from memweaver.domain.job import Failure, Job
from memweaver.domain.memory import Memory
from memweaver.errors import BackendError
from memweaver.ports.events import EventLog
from memweaver.ports.queue import Claim, Effects, Queue, Settling
from memweaver.services.reflect.reflect import Outcome, Reflect

log = logging.getLogger(__name__)

NO_EPOCH, NO_FENCE = "", 0
"""Of a claim that nobody gave: its turns themselves show whether it still holds."""


@dataclass(frozen=True, slots=True)
class Unkept(Settling):
    """Ends claims that are in no queue: effects are applied, of the jobs only events are kept."""

    queue: Queue
    events: EventLog

    async def stage(self, claim: Claim, name: str, result: bytes) -> None:
        """Nothing: there is no later attempt to keep it for."""

    async def settle(
        self, claim: Claim, effects: Effects, *, now: datetime, dead: Failure | None = None
    ) -> Sequence[Memory]:
        added = await self.queue.apply(claim.jobs, effects, now=now)
        await self._tell(EventKind.JOB_DEAD if dead else EventKind.JOB_DONE, claim, now)
        return added

    async def fail(
        self,
        claim: Claim,
        failure: Failure,
        *,
        now: datetime,
        retry_at: datetime | None,
        apart: bool = False,
    ) -> None:
        """Only an event is kept; the log, the figures and the answer tell it too."""
        await self._tell(EventKind.JOB_DEAD, claim, now)

    async def postpone(
        self, claim: Claim, failure: Failure, *, now: datetime, retry_at: datetime
    ) -> None:
        """Nothing: there is no later attempt to wait for."""

    async def _tell(self, kind: EventKind, claim: Claim, now: datetime) -> None:
        try:
            await self.events.append([Event(kind, job.scope, job.id, now) for job in claim.jobs])
        except BackendError as error:
            log.warning("the end of %d jobs could not be told: %s", len(claim.jobs), error.code)


@dataclass(slots=True)
class Unqueued:
    """Takes the turns of one user one after the other, as far as this process knows."""

    reflect: Reflect
    batch: int
    patience: float
    """Seconds that the caller waits at most."""
    trouble: str | None = None
    """Why the last turn could leave no job; nothing if it could."""
    _lines: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    @classmethod
    def of(
        cls, reflect: Reflect, queue: Queue, events: EventLog, batch: int, patience: float
    ) -> "Unqueued":
        unkept = Unkept(queue, events)
        alone = replace(
            reflect,
            queue=unkept,
            scenes=replace(reflect.scenes, queue=None),
            extraction=replace(reflect.extraction, queue=unkept),
            weave=replace(reflect.weave, queue=unkept),
            blame=replace(reflect.blame, again=False),
        )
        return cls(alone, batch, patience)

    async def __call__(self, jobs: Sequence[Job]) -> frozenset[str]:
        """Reflect upon the turns of one scope that these would be the jobs of; which are done.

        What fails, or takes too long, is told as the end of a job is, and never fails the caller.
        """
        self.reflect.meter.count("turns_unqueued", len(jobs))
        log.warning(
            "%d turns are reflected upon at once: %s",
            len(jobs),
            self.trouble,
            extra={"action": "unqueued", "turns": [job.id for job in jobs]},
        )
        left, done = list(jobs), set[str]()
        line = self._lines.setdefault(jobs[0].scope.user, asyncio.Lock())
        try:
            async with asyncio.timeout(self.patience), line:
                while left:
                    await self._next(left, done)
        except TimeoutError:
            await self._too_late(left)
        return frozenset(done)

    async def _next(self, left: list[Job], done: set[str]) -> None:
        """Reflect upon the first of `left`, which are then `done` or not, but no longer left."""
        claim = claim_of(left[: self.batch])
        outcome = await self.reflect(claim)
        del left[: self.batch]
        if outcome is Outcome.DONE:
            done.update(job.id for job in claim.jobs)
            await self.reflect.sum_up(claim)

    async def _too_late(self, left: Sequence[Job]) -> None:
        if left:
            late = Failure("too_late", f"not done within {self.patience:.0f} s")
            await self.reflect.give_up(claim_of(left), late)


def claim_of(jobs: Sequence[Job]) -> Claim:
    return Claim(jobs[0].scope, NO_EPOCH, NO_FENCE, tuple(jobs))
