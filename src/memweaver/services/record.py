"""Record: keep what was heard and said, durably, before anything else happens to it."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from uuid import NAMESPACE_URL, uuid5

from memweaver.domain.conversation import Said, Turn
from memweaver.domain.event import Event, EventKind
from memweaver.domain.job import Job, Priority, State
from memweaver.domain.limits import Limits
from memweaver.domain.priority import priority_of
from memweaver.domain.scope import Scope, checked_name
from memweaver.ports.clock import Clock
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.events import Events
from memweaver.ports.meter import Meter
from memweaver.ports.store import Store
from memweaver.services.maintain import Maintain

Promptly = Callable[[Scope, str], Awaitable[State]]
"""Reflects upon a job before it returns, if it can; never fails."""


@dataclass(frozen=True, slots=True)
class Record:
    """The fast path. With `reflecting`, every turn leaves a job with it, in one transaction.

    With `promptly` the path is not fast: the job is done before the caller is answered.
    """

    store: Store
    maintain: Maintain
    doorbell: Doorbell
    events: Events
    meter: Meter
    clock: Clock
    limits: Limits
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
        turn = self._turn(scope, said, idempotency)
        chosen = priority_of(said) if priority is None and self.reflecting else priority
        [kept] = await self._keep([turn], chosen or Priority.NORMAL)
        return kept

    async def many(self, scope: Scope, said: Sequence[Said]) -> Sequence[Turn]:
        """Keep several turns, all or none; they can wait until others were reflected upon."""
        return await self._keep([self._turn(scope, one, None) for one in said], Priority.LOW)

    async def _keep(self, turns: Sequence[Turn], priority: Priority) -> Sequence[Turn]:
        began = perf_counter()
        kept = await self.store.record(turns, priority=priority if self.reflecting else None)
        self.meter.time("record_seconds", perf_counter() - began)
        pairs = zip(kept, turns, strict=True)
        new = [one for one, given in pairs if one.recorded_at == given.recorded_at]
        self.meter.count("turns_recorded", len(new))
        self.maintain.wake()
        if self.reflecting:
            await self.doorbell.ring([job_of(turn, priority) for turn in new])
        await self.events.emit([recorded(turn) for turn in new])
        if self.reflecting and self.promptly is not None:
            for turn in kept:
                await self.promptly(turn.scope, turn.id)
        return kept

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


def recorded(turn: Turn) -> Event:
    return Event(EventKind.TURN_RECORDED, turn.scope, turn.id, turn.recorded_at)


def record_id(scope: Scope, idempotency: str) -> str:
    """The one id that a user's idempotency key stands for.

    Once what it names is erased, the key is as good as new: that it was there is forgotten too.
    """
    checked_name("idempotency", idempotency)
    return str(uuid5(NAMESPACE_URL, f"memweaver:{scope.user}\n{scope.ai or ''}\n{idempotency}"))
