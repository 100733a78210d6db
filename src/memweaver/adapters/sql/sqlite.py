"""SQLite: a durable file, many readers, one writer."""

import asyncio
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import anyio
import anyio.to_thread
from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.pool import NullPool, QueuePool

from memweaver.adapters.sql import log
from memweaver.adapters.sql.database import Database, Work, looked_up
from memweaver.adapters.sql.errors import translated
from memweaver.adapters.sql.prepared import Prepared, driver_of
from memweaver.adapters.sql.writer import PATIENCE, Writer
from memweaver.errors import ConfigurationError

T = TypeVar("T")

PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "full",
    "secure_delete": "on",
    "foreign_keys": "on",
}

DEMANDED = {"journal_mode": "wal", "synchronous": 2, "secure_delete": 1}
"""Read back after opening: with anything weaker an answered write may be lost, or stay on disk."""


def open_engine(url: URL, *, writer: bool, connections: int = 1) -> Engine:
    """An engine whose transactions begin as SQLite's own, for the writer or for readers."""
    pool = {"poolclass": QueuePool, "pool_size": connections, "max_overflow": 0}
    engine = create_engine(
        url,
        connect_args={"check_same_thread": False, "timeout": PATIENCE, "isolation_level": None},
        hide_parameters=True,
        **({"poolclass": NullPool} if writer else pool),
    )
    event.listen(engine, "connect", prepare_writer if writer else prepare_reader)
    begin = "BEGIN IMMEDIATE" if writer else "BEGIN"
    event.listen(engine, "begin", lambda connection: driver_of(connection).execute(begin))
    return engine


def prepare_writer(connection: sqlite3.Connection, _record: object) -> None:
    for name, value in PRAGMAS.items():
        connection.execute(f"PRAGMA {name} = {value}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {log.LONGEST}")
    for name, demanded in DEMANDED.items():
        (found,) = connection.execute(f"PRAGMA {name}").fetchone()
        if found != demanded:
            raise ConfigurationError(
                f"SQLite would run with {name}={found} where {demanded} is needed to keep what "
                f"was answered: put the database on a local file system that supports it"
            )


def prepare_reader(connection: sqlite3.Connection, _record: object) -> None:
    connection.execute("PRAGMA query_only = on")


class SqliteDatabase(Database):
    """Readers in threads on connections of their own; all writes through one `Writer`."""

    def __init__(self, url: URL, connections: int) -> None:
        self._readers = open_engine(url, writer=False, connections=connections + 1)
        self._writers = open_engine(url, writer=True)
        self._limiter = anyio.CapacityLimiter(connections)
        self._pooled = self._readers.raw_connection()
        self._glancer = cast("sqlite3.Connection", self._pooled.driver_connection)
        self._glancer.execute("PRAGMA busy_timeout = 0")
        self._log = log.Log(self._writers)
        self._writer = Writer(self._writers, self._log.grown)

    async def read(self, work: Work[T]) -> T:
        def transaction() -> T:
            with translated(), self._readers.begin() as connection:
                return work(connection)

        return await anyio.to_thread.run_sync(transaction, limiter=self._limiter)

    async def write(self, work: Work[T], *, quick: bool = False) -> T:
        return await self._writer.write(work, quick=quick)

    async def glance(self, lookup: Prepared, parameters: Mapping[str, object]) -> Sequence[Any]:
        """On the event loop itself: some microseconds, where handing it to a thread costs fifty.

        Unless that fails, which is seldom: a thread waits until the file is no longer busy, and
        tells what else is wrong with it in our words.
        """
        try:
            return lookup.rows(self._glancer, parameters)
        except sqlite3.Error:
            return await self.read(lambda connection: lookup(connection, parameters))

    async def glances(
        self, lookups: Sequence[Prepared], parameters: Mapping[str, object], most: int
    ) -> Sequence[Sequence[Any]]:
        """What the first finds is of one state by itself, and in a chat it finds all."""
        try:
            first, *others = lookups
            if len(found := first.rows(self._glancer, parameters)) == most:
                return [found, *(() for _ in others)]
            with one_state(self._glancer):
                return [lookup.rows(self._glancer, parameters) for lookup in lookups]
        except sqlite3.Error:
            return await self.read(lambda c: [*looked_up(lookups, c, parameters, most)])

    async def scrub(self) -> None:
        await asyncio.shield(asyncio.wrap_future(self._log.empty()))

    def close(self) -> None:
        self._writer.close()
        self._log.close()
        self._pooled.close()
        self._readers.dispose()
        self._writers.dispose()


@contextmanager
def one_state(connection: sqlite3.Connection) -> Generator[None]:
    """What is read within is of one state, whatever is written meanwhile."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def private_file(path: Path) -> None:
    """Make the file before SQLite does, readable by its owner alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
