"""The contract of the `Doorbell` port, as tests."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager

import pytest
from anyio import create_task_group, fail_after

from memweaver.domain.job import Job, Priority, State
from memweaver.domain.scope import Scope
from memweaver.ports.doorbell import Doorbell
from memweaver.testing.conformance.backend import NOON

LONG = 60.0
"""Seconds that nothing here takes."""
SHORT = 0.3
"""Seconds in which a bell would have been heard."""

STRANGE_USERS = [
    "ann.b@example.com",
    "ann..b.",
    ".",
    "#",
    "*",
    "reflection.#",
    "ann of the north",
    "アン",
    "a" * 256,
    "é" * 150,
    "🚀" * 256,
]
"""Names that mean something to a broker, or are longer than it likes: up to 1024 bytes."""


def a_job(
    name: str = "j1", *, user: str = "ann", priority: Priority = Priority.NORMAL, failures: int = 0
) -> Job:
    return Job(
        name, Scope(user), priority, State.WAITING, created_at=NOON, due_at=NOON, failures=failures
    )


class DoorbellSuite(ABC):
    """Subclass, and say how to open a bell."""

    keeps: bool
    """Whether a bell that rang while nobody listened is heard by who listens later.

    Where it is not, that job is found when a worker looks by itself.
    """

    @abstractmethod
    def open_bell(self) -> AbstractAsyncContextManager[Doorbell]:
        """A bell at the one door that all bells of a test are at."""

    @pytest.fixture
    async def server(self) -> AsyncGenerator[Doorbell]:
        """The bell of somebody who rings."""
        async with self.open_bell() as bell:
            await eventually(lambda: bell.trouble is None)
            yield bell

    @pytest.fixture
    async def worker(self, server: Doorbell) -> AsyncGenerator[Doorbell]:
        """The bell of somebody who listens already."""
        async with self.open_bell() as bell:
            await self.listening(server, bell)
            yield bell

    async def listening(self, server: Doorbell, worker: Doorbell) -> None:
        """Ring until `worker` hears it, and until it has heard it all."""
        await server.ring([a_job("first")])
        with fail_after(LONG):
            while not await worker.heard(LONG if self.keeps else SHORT / 3):
                await server.ring([a_job("first")])
            while not self.keeps and await worker.heard(SHORT):
                pass

    async def test_a_bell_is_heard_elsewhere(self, server: Doorbell, worker: Doorbell) -> None:
        await server.ring([a_job()])
        assert await worker.heard(LONG)

    async def test_a_bell_is_heard_by_who_rang_it(self, worker: Doorbell) -> None:
        await worker.ring([a_job()])
        assert await worker.heard(LONG)

    async def test_every_later_bell_is_heard_too(self, server: Doorbell, worker: Doorbell) -> None:
        for number in range(20):
            await server.ring([a_job(f"j{number}")])
            assert await worker.heard(LONG)

    async def test_a_bell_that_was_heard_does_not_ring_again(
        self, server: Doorbell, worker: Doorbell
    ) -> None:
        await server.ring([a_job()])
        assert await worker.heard(LONG)
        assert not await worker.heard(SHORT)

    async def test_a_silent_bell_is_waited_for_no_longer_than_wanted(
        self, worker: Doorbell
    ) -> None:
        with fail_after(LONG):
            assert not await worker.heard(0.1)
            assert not await worker.heard(0)

    async def test_a_bell_that_rang_while_its_listener_was_busy_is_heard(
        self, server: Doorbell, worker: Doorbell
    ) -> None:
        await server.ring([a_job()])
        await asyncio.sleep(SHORT)
        assert await worker.heard(LONG)

    async def test_a_bell_that_rang_before_anybody_listened_is_kept_or_declared_lost(
        self, server: Doorbell
    ) -> None:
        await server.ring([a_job()])
        await asyncio.sleep(SHORT)
        async with self.open_bell() as late:
            assert await late.heard(LONG if self.keeps else SHORT) is self.keeps

    async def test_who_only_rings_takes_no_bell_from_who_listens(
        self, server: Doorbell, worker: Doorbell
    ) -> None:
        async with self.open_bell() as another:
            await another.ring([a_job("j1")])
            assert await worker.heard(LONG)
            await server.ring([a_job("j2")])
            assert await worker.heard(LONG)

    async def test_ringing_for_nothing_is_not_heard(
        self, server: Doorbell, worker: Doorbell
    ) -> None:
        await server.ring([])
        await server.toll([])
        assert not await worker.heard(SHORT)

    @pytest.mark.parametrize("user", STRANGE_USERS)
    async def test_the_bell_of_every_user_is_heard(
        self, server: Doorbell, worker: Doorbell, user: str
    ) -> None:
        await server.ring([a_job(user=user)])
        assert await worker.heard(LONG)
        assert server.trouble is None

    @pytest.mark.parametrize("priority", Priority)
    async def test_the_bell_of_every_priority_is_heard(
        self, server: Doorbell, worker: Doorbell, priority: Priority
    ) -> None:
        await server.ring([a_job(priority=priority)])
        assert await worker.heard(LONG)

    async def test_a_thousand_bells_keep_nobody_waiting(
        self, server: Doorbell, worker: Doorbell
    ) -> None:
        """Ringing waits for no network: others get their turn at most once in between."""
        others = 0

        async def count() -> None:
            nonlocal others
            while True:
                others += 1
                await asyncio.sleep(0)

        async with create_task_group() as tasks:
            tasks.start_soon(count)
            await asyncio.sleep(0)
            before = others
            for number in range(1000):
                await server.ring([a_job(f"j{number}")])
            assert others - before <= 1000
            tasks.cancel_scope.cancel()
        assert await worker.heard(LONG)
        assert server.trouble is None

    async def test_more_bells_than_anybody_can_take_are_dropped(
        self, server: Doorbell, worker: Doorbell
    ) -> None:
        with fail_after(LONG):
            await server.ring([a_job(f"j{number}") for number in range(50_000)])
        assert await worker.heard(LONG)

    async def test_many_may_wait_at_the_same_bell(self, server: Doorbell, worker: Doorbell) -> None:
        """One of them hears it, or all: whoever does looks for the jobs of everybody."""
        heard: list[bool] = []

        async def wait() -> None:
            heard.append(await worker.heard(5))

        async with create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(wait)
            await asyncio.sleep(0)
            await server.ring([a_job()])
        assert any(heard)

    async def test_tolling_wakes_no_worker(self, server: Doorbell, worker: Doorbell) -> None:
        await server.toll([a_job()])
        assert not await worker.heard(SHORT)
        assert server.trouble is None

    async def test_a_bell_in_order_has_no_trouble(self, server: Doorbell, worker: Doorbell) -> None:
        assert server.trouble is None
        assert worker.trouble is None


class RemoteDoorbellSuite(DoorbellSuite):
    """For bells that a broker carries: subclass, and say how to lose it and get it back."""

    @abstractmethod
    async def lose_broker(self) -> None:
        """From now on it answers nobody."""

    @abstractmethod
    async def return_broker(self) -> None:
        """It is back where it was. Called after every test that lost it."""

    @pytest.fixture
    async def lost(self) -> AsyncGenerator[None]:
        """Nobody answers until the test says so, or ends."""
        await self.lose_broker()
        yield
        await self.return_broker()

    @pytest.mark.usefixtures("lost")
    async def test_a_bell_without_a_broker_opens_and_says_so(self) -> None:
        with fail_after(LONG):
            async with self.open_bell() as bell:
                await eventually(lambda: bell.trouble is not None)
                assert bell.trouble == "backend_unavailable"

    @pytest.mark.usefixtures("lost")
    async def test_ringing_without_a_broker_neither_fails_nor_waits(self) -> None:
        async with self.open_bell() as bell:
            await eventually(lambda: bell.trouble is not None)
            with fail_after(5):
                for number in range(1000):
                    await bell.ring([a_job(f"j{number}")])
                    await bell.toll([a_job(f"j{number}")])
                assert not await bell.heard(0.1)

    async def test_a_broker_that_comes_back_is_found(
        self, server: Doorbell, worker: Doorbell
    ) -> None:
        await self.lose_broker()
        try:
            await eventually(lambda: server.trouble is not None and worker.trouble is not None)
            await server.ring([a_job()])
            assert not await worker.heard(0.1)
        finally:
            await self.return_broker()
        await eventually(lambda: server.trouble is None and worker.trouble is None)
        await self.listening(server, worker)
        await server.ring([a_job()])
        assert await worker.heard(LONG)


async def eventually(true: Callable[[], bool]) -> None:
    with fail_after(LONG):
        while not true():  # noqa: ASYNC110 - a bell tells nobody about its troubles
            await asyncio.sleep(0.01)
