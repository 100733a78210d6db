"""Record: keep what was heard and said, durably, before anything else happens to it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from uuid import NAMESPACE_URL, uuid5

from memweaver.domain.conversation import Said, Turn
from memweaver.domain.job import Job, Priority, Reflection, State
from memweaver.domain.limits import Limits
from memweaver.domain.priority import priority_of
from memweaver.domain.scope import Scope, checked_name
from memweaver.errors import QueueUnavailable
from memweaver.ports.clock import Clock
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.events import Events
from memweaver.ports.meter import Meter
from memweaver.ports.store import Store
from memweaver.services.courtesy import Courtesy
from memweaver.services.maintain import Maintain
from memweaver.services.reflect.unqueued import Unqueued

Promptly = Callable[[Scope, str], Awaitable[State]]
"""Reflects upon a job before it returns, if it can; never fails."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A turn as it is kept, how far its reflection is, and whether that has a job."""

    turn: Turn
    reflection: Reflection
    job: bool


@dataclass(frozen=True, slots=True)
class Record:
    """The fast path. With `reflecting`, every turn leaves a job with it, in one transaction.

    With `promptly` the path is not fast: the job is done before the caller is answered. Nor is it
    while no job can be left: then the turns are kept alone, and reflected upon before the answer.
    """

    store: Store
    maintain: Maintain
    doorbell: Doorbell
    events: Events
    meter: Meter
    clock: Clock
    limits: Limits
    unqueued: Unqueued
    courtesy: Courtesy
    reflecting: bool = True
    promptly: Promptly | None = None

    async def __call__(
        self,
        scope: Scope,
        said: Said,
        *,
        idempotency: str | None = None,
        priority: Priority | None = None,
    ) -> Turn:
        """Keep one turn. With the same `idempotency` key it is kept once, however often tried.

        Without a `priority` what is said decides.
        """
        told = await self.telling(scope, said, idempotency=idempotency, priority=priority)
        return told.turn

    async def telling(
        self,
        scope: Scope,
        said: Said,
        *,
        idempotency: str | None = None,
        priority: Priority | None = None,
    ) -> Recorded:
        """The same, for who wants to know how far its reflection is."""
        turn = self._turn(scope, said, idempotency)
        chosen = priority_of(said) if priority is None and self.reflecting else priority
        [kept] = await self._keep(scope, [turn], chosen or Priority.NORMAL)
        return kept

    async def many(self, scope: Scope, said: Sequence[Said]) -> Sequence[Turn]:
        """Keep several turns, all or none; they can wait until others were reflected upon."""
        turns = [self._turn(scope, one, None) for one in said]
        kept = await self._keep(scope, turns, Priority.LOW)
        return [one.turn for one in kept]

    async def _keep(
        self, scope: Scope, turns: Sequence[Turn], priority: Priority
    ) -> Sequence[Recorded]:
        began, queued = perf_counter(), self.reflecting
        with self.courtesy.serving(scope.user):
            await self.courtesy.others_first(scope.user)
            try:
                kept = await self.store.record(
                    turns, priority=priority if queued else None, trace=self.meter.here()
                )
            except QueueUnavailable as error:
                self.unqueued.trouble = error.code
                kept, queued = await self.store.record(turns), False
        self.meter.time("record_seconds", perf_counter() - began)
        pairs = zip(kept, turns, strict=True)
        new = [one for one, given in pairs if one.recorded_at == given.recorded_at]
        jobs = [job_of(turn, priority) for turn in new] if self.reflecting else []
        self.meter.count("turns_recorded", len(new))
        self.maintain.wake()
        if queued:
            await self.doorbell.ring(jobs)
        if new:
            await self.events.ring(scope.user)
        if not queued:
            return await self._without_queue(kept, jobs)
        if jobs:
            self.unqueued.trouble = None
        return [Recorded(turn, await self._so_far(turn), job=True) for turn in kept]

    async def _so_far(self, turn: Turn) -> Reflection:
        done = self.promptly and await self.promptly(turn.scope, turn.id) is State.DONE
        return Reflection.PROCESSED if done else Reflection.QUEUED

    async def _without_queue(self, kept: Sequence[Turn], jobs: Sequence[Job]) -> Sequence[Recorded]:
        done = await self.unqueued(jobs) if jobs else ()
        processed, stored = Reflection.PROCESSED, Reflection.STORED
        return [
            Recorded(turn, processed if turn.id in done else stored, job=False) for turn in kept
        ]

    def _turn(self, scope: Scope, said: Said, idempotency: str | None) -> Turn:
        self.limits.check_said(said)
        now = self.clock.now()
        return Turn(
            id=record_id(scope, idempotency) if idempotency else self.clock.new_id(),
            scope=scope,
            session=said.session,
            at=said.at or now,
            recorded_at=now,
            messages=said.messages,
            metadata=said.metadata,
        )


def job_of(turn: Turn, priority: Priority) -> Job:
    """The job that a turn has just left."""
    at = turn.recorded_at
    return Job(turn.id, turn.scope, priority, State.WAITING, created_at=at, due_at=at)


def record_id(scope: Scope, idempotency: str) -> str:
    """The one id that a user's idempotency key stands for.

    Once what it names is erased, the key is as good as new: that it was there is forgotten too.
    """
    checked_name("idempotency", idempotency)
    return str(uuid5(NAMESPACE_URL, f"memweaver:{scope.user}\n{scope.ai or ''}\n{idempotency}"))
