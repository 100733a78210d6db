"""The suite of the index over pgvector, which shares its rows between all who open it."""

from contextlib import AbstractAsyncContextManager
from functools import cache
from typing import ClassVar, Literal

import pytest
from sqlalchemy import create_engine, text
from tests.conformance.backends import InMemory, OnPostgres
from tests.servers.postgres import Postgres

from memweaver.adapters.pgvector import EXACT_BELOW, open_pgvector
from memweaver.adapters.shard.words import Words
from memweaver.ports.backend import Backend
from memweaver.ports.index import Index
from memweaver.testing.conformance.backend import MODEL
from memweaver.testing.conformance.index import IndexSuite
from memweaver.testing.conformance.indexed import DIMENSIONS

pytestmark = pytest.mark.postgres

EMPTY = text("DELETE FROM memory_associative; DELETE FROM memory_associative_users")
MADE = text("SELECT to_regclass('memory_associative') IS NOT NULL")


class Pgvector(IndexSuite):
    method: ClassVar[Literal["exact", "ivfflat", "hnsw"]] = "exact"
    exact_below: ClassVar[int] = EXACT_BELOW

    @pytest.fixture(autouse=True)
    def _index_server(self, postgres: Postgres) -> None:
        self.index_server = postgres
        self.index_url = emptied_database(postgres, type(self).__name__)

    def open_index(self, backend: Backend) -> AbstractAsyncContextManager[Index]:
        return open_pgvector(
            self.index_url,
            backend.changes,
            MODEL,
            DIMENSIONS,
            method=self.method,
            words=Words("english"),
            pool=2,
            exact_below=self.exact_below,
        )

    async def test_it_claims_neither_to_score_all_nor_to_seal(self, index: Index) -> None:
        assert index.capabilities == frozenset()


def emptied_database(server: Postgres, purpose: str) -> str:
    """The database of one class of tests, emptied: quicker than a new one for each test."""
    url = database_for(server, purpose)
    engine = create_engine(url.replace("postgresql", "postgresql+psycopg", 1))
    with engine.begin() as connection:
        if connection.execute(MADE).scalar_one():
            connection.execute(EMPTY)
    engine.dispose()
    return url


@cache
def database_for(server: Postgres, purpose: str) -> str:  # noqa: ARG001 - one for each purpose
    return server.url(server.new_database())


class TestHnswBesideTheStore(OnPostgres, Pgvector):
    method = "hnsw"
    exact_below = 0


class TestIvfflat(InMemory, Pgvector):
    method = "ivfflat"
    exact_below = 0


class TestExactMadeAnew(InMemory, Pgvector):
    """Whoever opens the index later has an empty one: what was followed equals what is new."""

    def open_index(self, backend: Backend) -> AbstractAsyncContextManager[Index]:
        opened = super().open_index(backend)
        self.index_url = emptied_database(self.index_server, "made anew")
        return opened
