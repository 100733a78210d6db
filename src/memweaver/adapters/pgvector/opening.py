"""Opens the index: pgvector proven, schema and length of vectors brought up to date."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio.to_thread
from sqlalchemy import Engine, exc, make_url

from memweaver.adapters.pgvector.database import Database, open_engine
from memweaver.adapters.pgvector.errors import translated
from memweaver.adapters.pgvector.index import PgvectorIndex
from memweaver.adapters.pgvector.method import Method, ensure_index
from memweaver.adapters.pgvector.migrate import bring_up_to_date
from memweaver.adapters.pgvector.searching import Means
from memweaver.adapters.pgvector.words import Words
from memweaver.errors import ConfigurationError
from memweaver.ports.changes import Changes


@asynccontextmanager
async def open_index(
    url: str,
    changes: Changes,
    model: str,
    dimensions: int,
    *,
    method: str,
    words: Words,
    pool: int,
    migrate: bool,
    exact_below: int,
) -> AsyncGenerator[PgvectorIndex]:
    chosen, engine = Method(method), engine_at(url, pool)
    database = Database(engine, pool)
    try:
        await anyio.to_thread.run_sync(prepare, engine, chosen, dimensions, migrate)
        yield PgvectorIndex(Means(database, changes, words, model, dimensions, chosen, exact_below))
    finally:
        await anyio.to_thread.run_sync(database.close)


def engine_at(url: str, pool: int) -> Engine:
    try:
        address = make_url(url)
    except exc.ArgumentError as error:
        raise ConfigurationError("the index's url cannot be read: give postgresql://…") from error
    if address.get_backend_name() != "postgresql":
        raise ConfigurationError("the index of kind pgvector lives in Postgres only")
    return open_engine(address, pool)


def prepare(engine: Engine, method: Method, dimensions: int, migrate: bool) -> None:  # noqa: FBT001 - for a thread
    with translated(), engine.begin() as connection:
        bring_up_to_date(connection, dimensions, migrate=migrate)
        ensure_index(connection, method, dimensions)
