"""The counter suite, in the process, on Redis, and on both together."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from datetime import timedelta

import pytest
from redis.asyncio import Redis
from tests.servers.private import Private
from tests.servers.redis import redis_url

from memweaver.adapters.memory import counter as in_process
from memweaver.adapters.memory.counter import InMemoryCounter
from memweaver.adapters.redis import open_redis_counter
from memweaver.app.nearest import NearestCounter
from memweaver.ports.counter import Counted, Counter
from memweaver.testing.conformance.backend import NOON
from memweaver.testing.conformance.counter import MINUTE, CounterSuite


class TestInMemory(CounterSuite):
    def open_counter(self) -> AbstractAsyncContextManager[Counter]:
        return nullcontext(InMemoryCounter())


@pytest.mark.redis
class TestRedis(CounterSuite):
    @pytest.fixture(autouse=True)
    def _redis(self, redis: Private) -> None:
        self.redis = redis

    @asynccontextmanager
    async def open_counter(self) -> AsyncGenerator[Counter]:
        async with Redis.from_url(redis_url(self.redis)) as client:
            await client.flushdb()
        async with open_redis_counter(redis_url(self.redis)) as counter:
            yield counter


class TestWithoutRedis(CounterSuite):
    """Nobody listens there, so that it is counted in the process."""

    @asynccontextmanager
    async def open_counter(self) -> AsyncGenerator[Counter]:
        async with open_redis_counter("redis://127.0.0.1:1/0") as away:
            yield NearestCounter(away, InMemoryCounter())


async def test_a_counter_that_is_back_is_used_again() -> None:
    shared, own = InMemoryCounter(), InMemoryCounter()
    async with open_redis_counter("redis://127.0.0.1:1/0") as away:
        nearest = NearestCounter(away, own)
        await nearest.add("a", 1, MINUTE, NOON)
        nearest._shared = shared
        assert await nearest.add("a", 1, MINUTE, NOON) == Counted(0, 2)
        assert await nearest.add("a", 1, MINUTE, NOON + timedelta(seconds=31)) == Counted(0, 1)


async def test_guessed_names_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_process, "MOST", 10)
    counter = InMemoryCounter()
    for number in range(100):
        await counter.add(str(number), 1, MINUTE, NOON + number * MINUTE)
        assert len(counter._counts) <= 10
    for number in range(100):
        await counter.add(str(number), 1, MINUTE, NOON)
        assert len(counter._counts) <= 10
