"""The suite of the index over the backends that an index can follow."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from tests.conformance.backends import InMemory, Sqlite

from memweaver.adapters.memory.index import InMemoryIndex
from memweaver.adapters.shard import ShardIndex
from memweaver.ports.backend import Backend
from memweaver.ports.index import Index
from memweaver.testing.conformance.backend import MODEL
from memweaver.testing.conformance.index import IndexSuite


class Shards:
    @asynccontextmanager
    async def open_index(self, backend: Backend) -> AsyncGenerator[Index]:
        yield ShardIndex(backend.changes, MODEL)


class TestShardOverMemory(InMemory, Shards, IndexSuite):
    pass


class TestShardOverSqlite(Sqlite, Shards, IndexSuite):
    pass


class TestBruteForce(InMemory, IndexSuite):
    @asynccontextmanager
    async def open_index(self, backend: Backend) -> AsyncGenerator[Index]:
        yield InMemoryIndex(backend.changes, MODEL)
