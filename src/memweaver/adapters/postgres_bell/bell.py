"""The `Doorbell` port over NOTIFY: callers touch memory only, two tasks of ours the network."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from psycopg import AsyncConnection

from memweaver.adapters.postgres_bell.line import PATIENCE, Line
from memweaver.domain.job import Job
from memweaver.ports.doorbell import Doorbell

RUNG = "memweaver_jobs"
"""The channel that says there is something to do, and no more than that."""
DEAD = "memweaver_dead"
"""The channel that names jobs that are dead."""
NOTIFY = (
    "SELECT pg_notify(channel, said) FROM unnest(%s::text[], %s::text[]) AS told(channel, said)"
)
MOST_WAITING = 10_000
"""Bells not yet at the server; beyond that they are dropped, and workers find the jobs anyway."""
CLOSING = 2.0
"""Seconds to hand over what is left in the end."""
SILENCE = 5.0
"""Seconds without a bell after which the connection is tried."""


class Notice(NamedTuple):
    channel: str
    said: str = ""


class PostgresDoorbell(Doorbell):
    """`run` must be going on; it listens only once somebody wants to hear."""

    def __init__(self, address: Mapping[str, Any]) -> None:
        self._ringing = Line(address, self._ring, self._drop)
        self._listening = Line(address, self._listen, lambda: None)
        self._outgoing: asyncio.Queue[Notice] = asyncio.Queue(MOST_WAITING)
        self._wanted = asyncio.Event()
        self._rung = asyncio.Event()

    @property
    def trouble(self) -> str | None:
        return self._ringing.trouble or self._listening.trouble

    async def ring(self, jobs: Sequence[Job]) -> None:
        if jobs:
            self._tell([Notice(RUNG)])

    async def toll(self, jobs: Sequence[Job]) -> None:
        self._tell([Notice(DEAD, job.id) for job in jobs])

    async def heard(self, patience: float) -> bool:
        self._wanted.set()
        try:
            async with asyncio.timeout(patience):
                await self._rung.wait()
        except TimeoutError:
            return False
        self._rung.clear()
        return True

    async def run(self) -> None:
        """Keep the connections, whatever happens to them, until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._ringing.run())
            await self._wanted.wait()
            tasks.create_task(self._listening.run())

    async def close(self) -> None:
        """Hand over what is left, if the server takes it at once."""
        with suppress(TimeoutError):  # a bell that is dropped does no harm
            async with asyncio.timeout(CLOSING):
                await self._outgoing.join()

    def _tell(self, notices: Sequence[Notice]) -> None:
        if self._ringing.trouble:
            return
        with suppress(asyncio.QueueFull):
            for notice in notices:
                self._outgoing.put_nowait(notice)

    def _drop(self) -> None:
        while not self._outgoing.empty():
            self._outgoing.get_nowait()
            self._outgoing.task_done()

    async def _ring(self, connection: AsyncConnection[Any], well: Callable[[], None]) -> None:
        while True:
            await answered(connection)
            well()
            with suppress(TimeoutError):  # nothing to tell: see whether the server is there
                async with asyncio.timeout(SILENCE):
                    await self._tell_next(connection)

    async def _tell_next(self, connection: AsyncConnection[Any]) -> None:
        batch = [await self._outgoing.get()]
        while not self._outgoing.empty():
            batch.append(self._outgoing.get_nowait())
        try:
            channels, said = zip(*set(batch), strict=True)
            await connection.execute(NOTIFY, [list(channels), list(said)])
        finally:
            for _ in batch:
                self._outgoing.task_done()

    async def _listen(self, connection: AsyncConnection[Any], well: Callable[[], None]) -> None:
        await connection.execute(f"LISTEN {RUNG}")
        while True:
            await answered(connection)
            well()
            async for _ in connection.notifies(timeout=SILENCE):
                self._rung.set()


async def answered(connection: AsyncConnection[Any]) -> None:
    """Raises `TimeoutError` if the server is not there any more, and nobody said so."""
    async with asyncio.timeout(PATIENCE):
        await connection.execute("SELECT 1")
