"""What the tests of the pgvector index share: an empty database, with or without its tables."""

from collections.abc import Generator

import pytest
from sqlalchemy import Engine, make_url, text
from tests.servers.postgres import Postgres

from memweaver.adapters.pgvector.database import open_engine
from memweaver.adapters.pgvector.migrate import bring_up_to_date

DIMENSIONS = 64


NOTHING_LEFT = text(
    "DROP TABLE IF EXISTS memory_associative, memory_associative_users, elsewhere,"
    " memweaver_pgvector_version; DROP EXTENSION IF EXISTS vector"
)


@pytest.fixture(scope="module")
def database(postgres: Postgres) -> str:
    return postgres.url(postgres.new_database())


@pytest.fixture
def empty(database: str) -> Generator[Engine]:
    """One database for all tests, emptied for each: quicker than many."""
    engine = open_engine(make_url(database), 2)
    with engine.begin() as connection:
        connection.execute(NOTHING_LEFT)
    yield engine
    engine.dispose()


@pytest.fixture
def url(empty: Engine, database: str) -> str:  # noqa: ARG001 - it empties the database
    """The address of an empty database."""
    return database


@pytest.fixture
def engine(empty: Engine) -> Engine:
    """A database with the newest schema."""
    with empty.begin() as connection:
        bring_up_to_date(connection, DIMENSIONS, migrate=True)
    return empty
