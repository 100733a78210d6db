"""The windows suite on Redis, beside every backend whose turns it may show."""

from collections.abc import AsyncGenerator
from datetime import timedelta

import pytest
from tests.conformance.backends import InMemory, OnPostgres, Sqlite
from tests.servers.private import Private
from tests.servers.redis import redis_url

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.redis import open_redis
from memweaver.ports.backend import Backend
from memweaver.ports.windows import Windows
from memweaver.testing.conformance.windows import WindowsSuite

pytestmark = pytest.mark.redis


class InRedis(WindowsSuite):
    @pytest.fixture(autouse=True)
    def _redis(self, redis: Private) -> None:
        self.redis = redis

    @pytest.fixture
    async def backend(self) -> AsyncGenerator[Backend]:
        url, week = redis_url(self.redis), timedelta(days=7)
        async with (
            self.open_backend() as backend,
            open_redis(url, open_cipher("aes-gcm"), backend.changes, week) as windows,
        ):
            self.opened = windows
            yield backend

    def windows(self, backend: Backend) -> Windows:
        return self.opened


class TestBesideMemory(InMemory, InRedis):
    pass


class TestBesideSqlite(Sqlite, InRedis):
    pass


@pytest.mark.postgres
class TestBesidePostgres(OnPostgres, InRedis):
    pass
