"""The `Doorbell` port over RabbitMQ: callers touch memory only, one task of ours the network."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from aio_pika.abc import AbstractIncomingMessage
from yarl import URL

from memweaver.adapters.rabbitmq.errors import LOST, first_of, ours
from memweaver.adapters.rabbitmq.link import Link, linked
from memweaver.adapters.rabbitmq.names import Names
from memweaver.domain.job import Job
from memweaver.errors import BackendUnavailable, ConfigurationError
from memweaver.ports.doorbell import Doorbell

MOST_WAITING = 10_000
"""Bells not yet at the broker; beyond that they are dropped, and workers find the jobs anyway."""
BATCH = 200
"""Bells the broker confirms together."""
CLOSING = 2.0
"""Seconds to hand over what is left in the end."""
SHORTEST, LONGEST = 0.2, 5.0
"""Seconds before calling the broker again, doubled each time."""

log = logging.getLogger(__name__)


class Post(NamedTuple):
    job: Job
    dead: bool


class RabbitDoorbell(Doorbell):
    """`run` must be going on; who only rings never takes bells from those who listen."""

    def __init__(self, url: URL, names: Names, prefetch: int) -> None:
        self._url = url
        self._names = names
        self._prefetch = prefetch
        self._error: BackendUnavailable | ConfigurationError | None = None
        self._tried = asyncio.Event()
        self._outgoing: asyncio.Queue[Post] = asyncio.Queue(MOST_WAITING)
        self._wanted = asyncio.Event()
        self._rung = asyncio.Event()
        self._delivered: AbstractIncomingMessage | None = None
        self._heard: AbstractIncomingMessage | None = None

    @property
    def trouble(self) -> str | None:
        return self._error.code if self._error else None

    async def ring(self, jobs: Sequence[Job]) -> None:
        self._post(jobs, dead=False)

    async def toll(self, jobs: Sequence[Job]) -> None:
        self._post(jobs, dead=True)

    async def heard(self, patience: float) -> bool:
        self._wanted.set()
        try:
            async with asyncio.timeout(patience):
                await self._acknowledge()
                await self._rung.wait()
        except TimeoutError:
            return False
        self._rung.clear()
        self._heard = self._delivered
        return True

    async def tried(self) -> None:
        """Wait until the broker was called for the first time. Raises `ConfigurationError`."""
        await self._tried.wait()
        if isinstance(self._error, ConfigurationError):
            raise self._error

    async def run(self) -> None:
        """Keep the connection, whatever happens to it, until cancelled."""
        try:
            await self._keep()
        finally:
            self._error = self._error or BackendUnavailable("the doorbell is closed")
            self._tried.set()

    async def close(self) -> None:
        """Hand over what is left, if the broker takes it at once."""
        with suppress(TimeoutError):  # a bell that is dropped does no harm
            async with asyncio.timeout(CLOSING):
                await self._outgoing.join()
                await self._acknowledge()

    def _post(self, jobs: Sequence[Job], *, dead: bool) -> None:
        if self._error:
            return
        with suppress(asyncio.QueueFull):
            for job in jobs:
                self._outgoing.put_nowait(Post(job, dead))

    async def _keep(self) -> None:
        pause = SHORTEST
        while True:
            try:
                async with linked(self._url, self._names) as link:
                    self._found()
                    pause = SHORTEST
                    await self._serve(link)
            except* LOST as lost:
                self._lost(first_of(lost))
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST)

    async def _serve(self, link: Link) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._publish(link))
            tasks.create_task(self._listen(link))
            await link.gone.wait()
            raise ConnectionError("the broker hung up")

    async def _publish(self, link: Link) -> None:
        while True:
            batch = [await self._outgoing.get()]
            while len(batch) < BATCH and not self._outgoing.empty():
                batch.append(self._outgoing.get_nowait())
            try:
                async with asyncio.TaskGroup() as tasks:
                    for job, dead in batch:
                        tasks.create_task(link.toll(job) if dead else link.ring(job))
            finally:
                for _ in batch:
                    self._outgoing.task_done()

    async def _listen(self, link: Link) -> None:
        await self._wanted.wait()
        await link.listen(self._hear, self._prefetch)

    async def _hear(self, delivered: AbstractIncomingMessage) -> None:
        """Whatever it says: anybody may send anything, and it only ever wakes somebody."""
        self._delivered = delivered
        self._rung.set()

    async def _acknowledge(self) -> None:
        heard, self._heard = self._heard, None
        if heard is not None:
            with suppress(*LOST):  # the broker will deliver it again
                await heard.ack(multiple=True)

    def _found(self) -> None:
        if self._error:
            log.info("RabbitMQ is there again", extra={"action": "doorbell_found"})
        self._error = None
        self._tried.set()

    def _lost(self, error: BaseException) -> None:
        before, self._error = self._error, ours(error, self._names)
        if before is None or before.code != self._error.code:
            log.warning(
                "the doorbell is out of order, workers look by themselves: %s",
                self._error,
                extra={"action": "doorbell_lost", "code": self._error.code},
            )
        self._delivered = self._heard = None
        while not self._outgoing.empty():
            self._outgoing.get_nowait()
            self._outgoing.task_done()
        self._tried.set()
