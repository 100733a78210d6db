"""A queue in memory with jobs in it, a bell that is only noted, and a clock that stands still."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from memweaver.adapters.memory import open_memory
from memweaver.adapters.memory.events import LocalEvents
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.job import Depth, Failure, Job, Priority
from memweaver.domain.scope import Scope
from memweaver.errors import BackendUnavailable
from memweaver.ports.backend import Backend
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.queue import Claim, Effects, Queue
from memweaver.testing.doubles import StoppedClock

MAY = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
TOO_LONG = Failure("model_unavailable", "the model gave no answer")


class NotedBell(Doorbell):
    """Notes for which jobs it was rung and tolled."""

    def __init__(self, trouble: str | None = None) -> None:
        self._trouble = trouble
        self.rung: list[str] = []
        self.tolled: list[str] = []

    @property
    def trouble(self) -> str | None:
        return self._trouble

    async def ring(self, jobs: Sequence[Job]) -> None:
        self.rung += [job.id for job in jobs]

    async def heard(self, patience: float) -> bool:
        return bool(self.rung)

    async def toll(self, jobs: Sequence[Job]) -> None:
        self.tolled += [job.id for job in jobs]


class NotedEvents(LocalEvents):
    """Notes of whom something was told."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[str] = []

    async def ring(self, user: str) -> None:
        self.noted.append(user)


class QueueAway:
    """A queue whose database does not answer."""

    async def depth(self) -> Depth:
        raise BackendUnavailable("the database does not answer")


@dataclass
class Queued:
    backend: Backend
    clock: StoppedClock = field(default_factory=lambda: StoppedClock(MAY))
    bell: NotedBell = field(default_factory=NotedBell)

    @property
    def queue(self) -> Queue:
        return self.backend.queue

    async def waiting(self, user: str, *names: str, ai: str | None = None) -> None:
        """Let the turns called so, of `user`, wait for their reflection."""
        for name in names:
            turn = Turn(
                id=name,
                scope=Scope(user, ai),
                session="monday",
                at=self.clock.now(),
                recorded_at=self.clock.now(),
                messages=(Message(Role.USER, "I moved to Oslo"),),
            )
            await self.backend.store.record([turn], priority=Priority.NORMAL)

    async def dead(self, user: str, *names: str) -> None:
        for name in names:
            await self.waiting(user, name)
            claim = await self._claimed(user)
            await self.queue.fail(claim, TOO_LONG, now=self.clock.now(), retry_at=None)

    async def done(self, user: str, name: str) -> None:
        await self.waiting(user, name)
        await self.queue.settle(await self._claimed(user), Effects(), now=self.clock.now())

    async def running(self, user: str, name: str) -> None:
        await self.waiting(user, name)
        await self._claimed(user)

    async def _claimed(self, user: str) -> Claim:
        lease = timedelta(seconds=10)
        claim = await self.queue.claim(now=self.clock.now(), lease=lease, batch=1, user=user)
        assert claim
        return claim


@asynccontextmanager
async def queued() -> AsyncGenerator[Queued]:
    async with open_memory() as backend:
        yield Queued(backend)
