"""Runs works, plain functions over a connection, each in a transaction and off the event loop."""

from asyncio import get_running_loop
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import URL, Connection, Engine, create_engine

from memweaver.adapters.pgvector.errors import translated

T = TypeVar("T")
Work = Callable[[Connection], T]

PATIENCE = 10
"""Seconds to wait for the server to accept a connection."""


def open_engine(url: URL, connections: int) -> Engine:
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"connect_timeout": PATIENCE},
    )


class Database:
    def __init__(self, engine: Engine, connections: int) -> None:
        self._writing = engine
        self._reading = engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._alone = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._threads = ThreadPoolExecutor(connections, "memweaver-pgvector")

    async def read(self, work: Work[T]) -> T:
        """Run a work that sees one state of everything."""
        return await self._run(self._reading, work)

    async def write(self, work: Work[T]) -> T:
        return await self._run(self._writing, work)

    async def tend(self, work: Work[T]) -> T:
        """Run a work of statements that must not be in a transaction."""
        return await self._run(self._alone, work)

    async def _run(self, engine: Engine, work: Work[T]) -> T:
        def transaction() -> T:
            with translated(), engine.begin() as connection:
                return work(connection)

        return await get_running_loop().run_in_executor(self._threads, transaction)

    def close(self) -> None:
        """Wait for works whose caller has left: their connections are still in use."""
        self._threads.shutdown()
        self._writing.dispose()
