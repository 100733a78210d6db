"""The doorbell suite on every doorbell, and on broken ones to see that it notices."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count

import anyio.lowlevel
import pytest
from tests.servers.gate import Gate
from tests.servers.postgres import Postgres
from tests.servers.private import Private

from memweaver.adapters.memory.doorbell import InMemoryDoorbell
from memweaver.adapters.postgres_bell import open_postgres_bell
from memweaver.adapters.rabbitmq import open_rabbitmq
from memweaver.domain.job import Job
from memweaver.ports.doorbell import Doorbell
from memweaver.testing.conformance.doorbell import DoorbellSuite, RemoteDoorbellSuite, a_job

numbers = count()


class TestInMemory(DoorbellSuite):
    keeps = True

    @pytest.fixture(autouse=True)
    def _bell(self) -> None:
        self.bell: Doorbell = InMemoryDoorbell()

    @asynccontextmanager
    async def open_bell(self) -> AsyncGenerator[Doorbell]:
        yield self.bell


class ThroughAGate(RemoteDoorbellSuite):
    """Loses the broker by shutting the gate on the way to it, which is quicker than killing it."""

    @pytest.fixture
    def beyond(self) -> int:
        """The port of the broker."""
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    async def _gate(self, beyond: int) -> AsyncGenerator[None]:
        self.gate = Gate(beyond)
        await self.gate.open()
        yield
        await self.gate.shut()

    async def lose_broker(self) -> None:
        await self.gate.shut()

    async def return_broker(self) -> None:
        await self.gate.open()


@pytest.mark.postgres
class TestPostgres(ThroughAGate):
    keeps = False

    @pytest.fixture
    def beyond(self, postgres: Postgres) -> int:
        return postgres.port

    def open_bell(self) -> AbstractAsyncContextManager[Doorbell]:
        return open_postgres_bell(f"postgresql://postgres@127.0.0.1:{self.gate.port}/postgres")


@pytest.mark.rabbitmq
@pytest.mark.requirement("D2", "D8")
class TestRabbitMQ(ThroughAGate):
    keeps = True

    @pytest.fixture
    def beyond(self, rabbitmq: Private) -> int:
        self.door = f"door_{next(numbers)}"
        return rabbitmq.port

    def open_bell(self) -> AbstractAsyncContextManager[Doorbell]:
        names = f"{self.door}_exchange", f"{self.door}_queue"
        return open_rabbitmq(f"amqp://guest:guest@127.0.0.1:{self.gate.port}/", "", *names)


class Deaf(InMemoryDoorbell):
    async def heard(self, patience: float) -> bool:
        return False


class Haunted(InMemoryDoorbell):
    """Goes on ringing."""

    async def heard(self, patience: float) -> bool:
        return True


class Slow(InMemoryDoorbell):
    """Waits for the network with every bell."""

    async def ring(self, jobs: Sequence[Job]) -> None:
        await super().ring(jobs)
        for _ in range(3):
            await anyio.lowlevel.checkpoint()


class Dotless(InMemoryDoorbell):
    """Binds `reflection.*`."""

    async def ring(self, jobs: Sequence[Job]) -> None:
        await super().ring([job for job in jobs if "." not in job.scope.user])


async def test_the_suite_notices_a_bell_that_is_not_heard() -> None:
    with pytest.raises(AssertionError):
        await TestInMemory().test_a_bell_is_heard_elsewhere(Deaf(), Deaf())


async def test_the_suite_notices_a_bell_that_rings_again() -> None:
    bell = Haunted()
    with pytest.raises(AssertionError):
        await TestInMemory().test_a_bell_that_was_heard_does_not_ring_again(bell, bell)


async def test_the_suite_notices_a_bell_that_keeps_its_ringer_waiting() -> None:
    bell = Slow()
    with pytest.raises(BaseExceptionGroup) as caught:
        await TestInMemory().test_a_thousand_bells_keep_nobody_waiting(bell, bell)
    assert caught.group_contains(AssertionError)


async def test_the_suite_notices_users_who_are_never_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memweaver.testing.conformance.doorbell.LONG", 0.1)
    bell = Dotless()
    with pytest.raises(AssertionError):
        await TestInMemory().test_the_bell_of_every_user_is_heard(bell, bell, "ann.b@example.com")
    await bell.ring([a_job()])
    assert await bell.heard(0)
