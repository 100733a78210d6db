"""Runs works, plain functions over a connection, off the event loop; here over Postgres."""

from abc import abstractmethod
from asyncio import get_running_loop
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine

from memweaver.adapters.sql.errors import translated
from memweaver.adapters.sql.prepared import Prepared

T = TypeVar("T")
Work = Callable[[Connection], T]


class Database(Protocol):
    """Runs each work in a transaction: a read sees one state of everything, a write is durable."""

    @abstractmethod
    async def read(self, work: Work[T]) -> T: ...

    @abstractmethod
    async def write(self, work: Work[T], *, quick: bool = False) -> T:
        """`quick` says that it is a few statements about little, which may be run anywhere."""
        ...

    @abstractmethod
    async def glance(self, lookup: Prepared, parameters: Mapping[str, object]) -> Sequence[Any]:
        """The rows of a lookup by key, as last committed by anybody, in the cheapest way."""
        ...

    @abstractmethod
    async def glances(
        self, lookups: Sequence[Prepared], parameters: Mapping[str, object], most: int
    ) -> Sequence[Sequence[Any]]:
        """The rows of each of several lookups, all of one state, in the cheapest way.

        All of them together have `most` rows at most: once so many are found, nobody looks on.
        """
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
        self._threads = ThreadPoolExecutor(connections, "memweaver-postgres")

    async def read(self, work: Work[T]) -> T:
        return await self._run(self._reading, work)

    async def write(self, work: Work[T], *, quick: bool = False) -> T:
        return await self._run(self._writing, work)

    async def glance(self, lookup: Prepared, parameters: Mapping[str, object]) -> Sequence[Any]:
        return await self._run(self._glancing, lambda c: lookup(c, parameters))

    async def glances(
        self, lookups: Sequence[Prepared], parameters: Mapping[str, object], most: int
    ) -> Sequence[Sequence[Any]]:
        return await self.read(lambda c: [*looked_up(lookups, c, parameters, most)])

    async def scrub(self) -> None:
        """Nothing: the server's log keeps what was deleted; only a retired master key ends it."""

    async def _run(self, engine: Engine, work: Work[T]) -> T:
        def transaction() -> T:
            with translated(), engine.begin() as connection:
                return work(connection)

        return await get_running_loop().run_in_executor(self._threads, transaction)

    def close(self) -> None:
        """Wait for works whose caller has left: their connections are still in use."""
        self._threads.shutdown()
        self._writing.dispose()


def looked_up(
    lookups: Sequence[Prepared], connection: Connection, parameters: Mapping[str, object], most: int
) -> Iterator[Sequence[Any]]:
    """The rows of each, but none of those behind the `most` there can be."""
    for lookup in lookups:
        rows = lookup(connection, parameters) if most else ()
        most -= len(rows)
        yield rows
