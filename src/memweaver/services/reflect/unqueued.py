"""Unqueued: turns that could leave no job are reflected upon while their caller waits."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from weakref import WeakValueDictionary

from memweaver.domain.job import Failure, Job
from memweaver.domain.memory import Memory
from memweaver.ports.queue import Claim, Effects, Queue, Settling
from memweaver.services.reflect.reflect import Outcome, Reflect

log = logging.getLogger(__name__)

NO_EPOCH, NO_FENCE = "", 0
"""Of a claim that nobody gave: its turns themselves show whether it still holds."""


@dataclass(frozen=True, slots=True)
class Unkept(Settling):
    """Ends claims that are in no queue: effects are applied, and of the jobs nothing is kept."""

    queue: Queue

    async def stage(self, claim: Claim, name: str, result: bytes) -> None:
        """Nothing: there is no later attempt to keep it for."""

    async def settle(
        self, claim: Claim, effects: Effects, *, now: datetime, dead: Failure | None = None
    ) -> Sequence[Memory]:
        return await self.queue.apply(claim.jobs, effects, now=now)

    async def fail(
        self,
        claim: Claim,
        failure: Failure,
        *,
        now: datetime,
        retry_at: datetime | None,
        apart: bool = False,
    ) -> None:
        """Nothing: the log, the figures, an event and the answer tell it."""

    async def postpone(
        self, claim: Claim, failure: Failure, *, now: datetime, retry_at: datetime
    ) -> None:
        """Nothing, for the same reason."""


@dataclass(slots=True)
class Unqueued:
    """Takes the turns of one user one after the other, as far as this process knows."""

    reflect: Reflect
    batch: int
    trouble: str | None = None
    """Why the last turn could leave no job; nothing if it could."""
    _lines: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    @classmethod
    def of(cls, reflect: Reflect, queue: Queue, batch: int) -> "Unqueued":
        unkept = Unkept(queue)
        alone = replace(
            reflect,
            queue=unkept,
            extraction=replace(reflect.extraction, queue=unkept),
            weave=replace(reflect.weave, queue=unkept),
            blame=replace(reflect.blame, again=False),
        )
        return cls(alone, batch)

    async def __call__(self, jobs: Sequence[Job]) -> frozenset[str]:
        """Reflect upon the turns of one scope that these would be the jobs of; which are done.

        What fails is told as the end of a job is, and never fails the caller.
        """
        self.reflect.meter.count("turns_unqueued", len(jobs))
        log.warning(
            "%d turns are reflected upon at once: %s",
            len(jobs),
            self.trouble,
            extra={"action": "unqueued", "turns": [job.id for job in jobs]},
        )
        done: list[str] = []
        async with self._lines.setdefault(jobs[0].scope.user, asyncio.Lock()):
            for start in range(0, len(jobs), self.batch):
                done += await self._done(tuple(jobs[start : start + self.batch]))
        return frozenset(done)

    async def _done(self, jobs: tuple[Job, ...]) -> Sequence[str]:
        claim = Claim(jobs[0].scope, NO_EPOCH, NO_FENCE, jobs)
        if await self.reflect(claim) is not Outcome.DONE:
            return ()
        await self.reflect.sum_up(claim)
        return [job.id for job in jobs]
