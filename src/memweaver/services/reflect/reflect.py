"""Reflect: one claim from its turns to its end. Whatever happens, it ends in a word."""

import logging
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter

from memweaver.domain.candidate import Scene
from memweaver.domain.job import Failure
from memweaver.errors import ClaimLost, Conflict, MemweaverError, place_of
from memweaver.ports.clock import Clock
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.events import Events
from memweaver.ports.meter import Meter
from memweaver.ports.queue import Claim, Settling
from memweaver.services.courtesy import Courtesy
from memweaver.services.maintain import Maintain
from memweaver.services.reflect.blame import GIVE_UP, Blame, Verdict
from memweaver.services.reflect.extract import Extraction, Found
from memweaver.services.reflect.scene import Scenes
from memweaver.services.reflect.weave import Weave
from memweaver.services.working import Working

log = logging.getLogger(__name__)

CLASHES = 3
"""How often to decide anew, as somebody changed a memory meanwhile, before that is a failure."""
LONGEST = 500
"""Characters of a reason."""


class Outcome(StrEnum):
    DONE = "done"
    RETRIED = "retried"
    DEAD = "dead"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Reflect:
    queue: Settling
    scenes: Scenes
    extraction: Extraction
    weave: Weave
    working: Working
    maintain: Maintain
    doorbell: Doorbell
    events: Events
    meter: Meter
    clock: Clock
    blame: Blame
    courtesy: Courtesy

    async def __call__(self, claim: Claim) -> Outcome:
        """Reflect upon the turns of `claim` and end its jobs.

        Raises `BackendError` if not even that could be written: then the lease runs out.
        """
        began = perf_counter()
        try:
            outcome = await self._attempt(claim)
        except ClaimLost:
            outcome = Outcome.LOST
            self._count(claim, outcome)
        seconds = perf_counter() - began
        self.meter.time("reflection_seconds", seconds, stage="whole")
        log.info(
            "reflected: %s, %d jobs, %.2f s",
            outcome,
            len(claim.jobs),
            seconds,
            extra={
                "action": "reflected",
                "outcome": outcome.value,
                "jobs": [job.id for job in claim.jobs],
                "attempt": max(job.attempts for job in claim.jobs),
                "seconds": round(seconds, 3),
            },
        )
        return outcome

    async def sum_up(self, claim: Claim) -> None:
        """Bring the summaries of the sessions that `claim` was about up to date. Never fails."""
        try:
            turns = await self.scenes.turns(claim)
            await self.working.fold(claim.scope, {turn.session for turn in turns})
        except MemweaverError as error:
            log.warning("a summary waits for the next turn: %s", error.code)

    async def give_up(self, claim: Claim, failure: Failure) -> Outcome:
        """End the jobs of `claim` as dead. Raises `BackendError`, `ClaimLost`."""
        return await self._fail(claim, failure, GIVE_UP)

    async def _attempt(self, claim: Claim) -> Outcome:
        if max(job.attempts for job in claim.jobs) > self.blame.patience.crashes:
            died = Failure("worker_died", "every worker at it died")
            return await self.give_up(claim, died)
        try:
            return await self._reflect(claim)
        except ClaimLost:
            raise
        except MemweaverError as error:
            return await self._fail(claim, told(error), await self.blame(claim, error))
        except Exception as error:  # noqa: BLE001 - a poison turn must not take the worker along
            log.error("reflection broke: %s", place_of(error))  # noqa: TRY400 - words may be in it
            broken = Failure(MemweaverError.code, f"unexpected: {place_of(error)}")
            return await self._fail(claim, broken, await self.blame(claim, error))

    async def _reflect(self, claim: Claim) -> Outcome:
        began = perf_counter()
        scene = await self.scenes.of(claim)
        self.meter.time("reflection_seconds", perf_counter() - began, stage="load")
        found = await self.extraction(claim, scene)
        partly = None
        if found.failures:
            aspect, error = next(iter(found.failures.items()))
            verdict = await self.blame(claim, error)
            if verdict.retry_at is not None or not found.candidates:
                return await self._fail(claim, told(error), verdict)
            partly = Failure(error.code, f"{aspect} could not be extracted: {error}")
        await self._settle(claim, scene, found, dead=partly)
        return Outcome.DEAD if partly else Outcome.DONE

    async def _settle(
        self, claim: Claim, scene: Scene, found: Found, *, dead: Failure | None
    ) -> None:
        now = self.clock.now()
        await self._apply(claim, scene, found, dead, CLASHES)
        self.maintain.wake()
        self._count(claim, Outcome.DEAD if dead else Outcome.DONE, dead.code if dead else "")
        for job in claim.jobs:
            self.meter.time("job_seconds", (now - job.created_at).total_seconds())
        await self.events.ring(claim.scope.user)
        if dead:
            await self.doorbell.toll(claim.jobs)

    async def _apply(
        self, claim: Claim, scene: Scene, found: Found, dead: Failure | None, clashes: int
    ) -> None:
        began = perf_counter()
        effects = await self.weave(claim, scene, found.candidates)
        woven = perf_counter()
        self.meter.time("reflection_seconds", woven - began, stage="weave")
        try:
            await self.courtesy.gap()
            await self.queue.settle(claim, effects, now=self.clock.now(), dead=dead)
        except ClaimLost:
            raise
        except Conflict:
            if not clashes:
                raise
            await self.maintain.settled()  # what was changed is found again once embedded
            await self._apply(claim, scene, found, dead, clashes - 1)
            return
        self.meter.time("reflection_seconds", perf_counter() - woven, stage="apply")

    async def _fail(self, claim: Claim, failure: Failure, verdict: Verdict) -> Outcome:
        now, retry_at = self.clock.now(), verdict.retry_at
        if retry_at is not None and verdict.outage:
            await self.queue.postpone(claim, failure, now=now, retry_at=retry_at)
        else:
            apart = verdict.apart
            await self.queue.fail(claim, failure, now=now, retry_at=retry_at, apart=apart)
        await self.events.ring(claim.scope.user)
        outcome = Outcome.DEAD if retry_at is None else Outcome.RETRIED
        log.warning("%s: %d jobs failed: %s", outcome, len(claim.jobs), failure.code)
        self._count(claim, outcome, failure.code)
        if outcome is Outcome.DEAD:
            await self.doorbell.toll(claim.jobs)
        return outcome

    def _count(self, claim: Claim, outcome: Outcome, code: str = "") -> None:
        self.meter.count("jobs_settled", len(claim.jobs), outcome=outcome, code=code)


def told(error: MemweaverError) -> Failure:
    """In one line that any database takes, and not a long one."""
    line = "".join(one if one.isprintable() else " " for one in str(error))
    return Failure(error.code, line[:LONGEST])
