"""Runs works, plain functions over a connection, off the event loop; here over Postgres."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import anyio
import anyio.to_thread
from sqlalchemy import Connection, Engine, Select

from memweaver.adapters.sql.errors import translated

T = TypeVar("T")
Work = Callable[[Connection], T]


class Database(Protocol):
    """Runs each work in a transaction: a read sees one state of everything, a write is durable."""

    @abstractmethod
    async def read(self, work: Work[T]) -> T: ...

    @abstractmethod
    async def write(self, work: Work[T]) -> T: ...

    @abstractmethod
    async def glance(
        self, statement: Select[Any], parameters: Mapping[str, object]
    ) -> tuple[Any, ...] | None:
        """The row of a lookup by key, as last committed by anybody, in the cheapest way."""
        ...

    @abstractmethod
    async def scrub(self) -> None:
        """Remove from disk, as far as the backend can, what was deleted before."""
        ...


class PooledDatabase(Database):
    """A server that takes many writers at once: each work has a connection of the pool."""

    def __init__(self, engine: Engine, connections: int) -> None:
        self._writing = engine
        self._reading = engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._glancing = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._limiter = anyio.CapacityLimiter(connections)

    async def read(self, work: Work[T]) -> T:
        return await self._run(self._reading, work)

    async def write(self, work: Work[T]) -> T:
        return await self._run(self._writing, work)

    async def glance(
        self, statement: Select[Any], parameters: Mapping[str, object]
    ) -> tuple[Any, ...] | None:
        def looked_up(connection: Connection) -> tuple[Any, ...] | None:
            row = connection.execute(statement, parameters).one_or_none()
            return None if row is None else tuple(row)

        return await self._run(self._glancing, looked_up)

    async def scrub(self) -> None:
        """Nothing: the server's log keeps what was deleted; only a retired master key ends it."""

    async def _run(self, engine: Engine, work: Work[T]) -> T:
        def transaction() -> T:
            with translated(), engine.begin() as connection:
                return work(connection)

        return await anyio.to_thread.run_sync(transaction, limiter=self._limiter)
