"""Reflect: one claim from its turns to its end. Whatever happens, it ends in a word."""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from random import random
from time import perf_counter
from traceback import extract_tb

from memweaver.domain.candidate import Scene
from memweaver.domain.event import Event, EventKind
from memweaver.domain.job import Failure, Patience
from memweaver.domain.memory import Memory
from memweaver.domain.scope import Scope
from memweaver.errors import (
    BackendUnavailable,
    ClaimLost,
    Conflict,
    InvalidInput,
    MemweaverError,
    ModelUnavailable,
    Unreadable,
)
from memweaver.ports.clock import Clock
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.events import Events
from memweaver.ports.meter import Meter
from memweaver.ports.queue import Claim, Effects, Settling
from memweaver.services.maintain import Maintain
from memweaver.services.reflect.extract import Extraction, Found
from memweaver.services.reflect.scene import Scenes
from memweaver.services.reflect.weave import Weave
from memweaver.services.working import Working

log = logging.getLogger(__name__)

CLASHES = 3
"""How often to decide anew, as somebody changed a memory meanwhile, before that is a failure."""
LONGEST = 500
"""Characters of a reason."""
HOPELESS = (Unreadable, InvalidInput)
"""What no further attempt can mend."""
OUTAGES = (ModelUnavailable, BackendUnavailable)
"""What no turn is to blame for."""


class Outcome(StrEnum):
    DONE = "done"
    RETRIED = "retried"
    DEAD = "dead"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Reflect:
    """Without `again` there is no later attempt: what fails is given up at once."""

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
    patience: Patience
    chance: Callable[[], float] = random
    again: bool = True

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

    async def _attempt(self, claim: Claim) -> Outcome:
        if max(job.attempts for job in claim.jobs) > self.patience.crashes:
            return await self._fail(claim, Failure("worker_died", "every worker at it died"), None)
        try:
            return await self._reflect(claim)
        except ClaimLost:
            raise
        except MemweaverError as error:
            return await self._fail(claim, told(error), self._retry_at(claim, error))
        except Exception as error:  # noqa: BLE001 - a poison turn must not take the worker along
            log.error("reflection broke: %s", place_of(error))  # noqa: TRY400 - words may be in it
            unknown = MemweaverError(f"unexpected: {place_of(error)}")
            return await self._fail(claim, told(unknown), self._retry_at(claim, unknown))

    async def _reflect(self, claim: Claim) -> Outcome:
        began = perf_counter()
        scene = await self.scenes.of(claim)
        self.meter.time("reflection_seconds", perf_counter() - began, stage="load")
        found = await self.extraction(claim, scene)
        partly = None
        if found.failures:
            aspect, error = next(iter(found.failures.items()))
            retry_at = self._retry_at(claim, error)
            if retry_at is not None or not found.candidates:
                return await self._fail(claim, told(error), retry_at)
            partly = Failure(error.code, f"{aspect} could not be extracted: {error}")
        await self._settle(claim, scene, found, dead=partly)
        return Outcome.DEAD if partly else Outcome.DONE

    async def _settle(
        self, claim: Claim, scene: Scene, found: Found, *, dead: Failure | None
    ) -> None:
        now = self.clock.now()
        effects, added = await self._applied(claim, scene, found, dead, CLASHES)
        self.maintain.wake()
        self._count(claim, Outcome.DEAD if dead else Outcome.DONE, dead.code if dead else "")
        for job in claim.jobs:
            self.meter.time("job_seconds", (now - job.created_at).total_seconds())
        ended = EventKind.JOB_DEAD if dead else EventKind.JOB_DONE
        changes = happened(claim.scope, effects, added, now)
        await self.events.emit([*changes, *self._of_jobs(claim, ended)])
        if dead:
            await self.doorbell.toll(claim.jobs)

    async def _applied(
        self, claim: Claim, scene: Scene, found: Found, dead: Failure | None, clashes: int
    ) -> tuple[Effects, Sequence[Memory]]:
        began = perf_counter()
        effects = await self.weave(claim, scene, found.candidates)
        woven = perf_counter()
        self.meter.time("reflection_seconds", woven - began, stage="weave")
        try:
            added = await self.queue.settle(claim, effects, now=self.clock.now(), dead=dead)
        except ClaimLost:
            raise
        except Conflict:
            if not clashes:
                raise
            await self.maintain.settled()  # what was changed is found again once embedded
            return await self._applied(claim, scene, found, dead, clashes - 1)
        self.meter.time("reflection_seconds", perf_counter() - woven, stage="apply")
        return effects, added

    async def _fail(self, claim: Claim, failure: Failure, retry_at: datetime | None) -> Outcome:
        now = self.clock.now()
        apart = retry_at is not None and retry_at <= now
        await self.queue.fail(claim, failure, now=now, retry_at=retry_at, apart=apart)
        kind = EventKind.JOB_DEAD if retry_at is None else EventKind.JOB_RETRIED
        await self.events.emit(self._of_jobs(claim, kind))
        log.warning("%s: %d jobs failed: %s", kind, len(claim.jobs), failure.code)
        outcome = Outcome.DEAD if retry_at is None else Outcome.RETRIED
        self._count(claim, outcome, failure.code)
        if outcome is Outcome.DEAD:
            await self.doorbell.toll(claim.jobs)
        return outcome

    def _retry_at(self, claim: Claim, error: MemweaverError) -> datetime | None:
        """When to try again; `None` if there is no point in it, or it was tried often enough.

        Several that failed together, and no outage, are tried at once again each alone: one of
        them may be to blame.
        """
        if not self.again:
            return None
        failures = max(job.failures for job in claim.jobs) + 1
        if isinstance(error, HOPELESS) or self.patience.exhausted(failures):
            return None
        now = self.clock.now()
        if len(claim.jobs) > 1 and not isinstance(error, OUTAGES):
            return now
        rest = self.patience.rest(failures, self.chance())
        asked = error.retry_after if isinstance(error, ModelUnavailable) else None
        seconds = min(asked or 0, self.patience.longest.total_seconds())
        return now + max(rest, timedelta(seconds=seconds))

    def _count(self, claim: Claim, outcome: Outcome, code: str = "") -> None:
        self.meter.count("jobs_settled", len(claim.jobs), outcome=outcome, code=code)

    def _of_jobs(self, claim: Claim, kind: EventKind) -> Sequence[Event]:
        now = self.clock.now()
        return [Event(kind, job.scope, job.id, now) for job in claim.jobs]


def happened(
    scope: Scope, effects: Effects, added: Sequence[Memory], now: datetime
) -> Iterator[Event]:
    for memory in added:
        yield Event(EventKind.MEMORY_ADDED, memory.scope, memory.id, now)
    for memory in effects.revised:
        yield Event(EventKind.MEMORY_REVISED, memory.scope, memory.id, now)
    for closing in effects.closed:
        yield Event(EventKind.MEMORY_CLOSED, scope, closing.memory_id, now)


def told(error: MemweaverError) -> Failure:
    """In one line that any database takes, and not a long one."""
    line = "".join(one if one.isprintable() else " " for one in str(error))
    return Failure(error.code, line[:LONGEST])


def place_of(error: Exception) -> str:
    """What broke and where, without its message, which may quote somebody."""
    *_, last = extract_tb(error.__traceback__)
    return f"{type(error).__name__} in {last.name}, line {last.lineno}"
