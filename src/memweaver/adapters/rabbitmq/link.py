"""One connection to the broker, with everything declared, for as long as it lasts."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import aio_pika
from aio_pika.abc import (
    AbstractChannel,
    AbstractExchange,
    AbstractIncomingMessage,
    AbstractQueue,
)
from yarl import URL

from memweaver.adapters.rabbitmq.errors import LOST
from memweaver.adapters.rabbitmq.message import message
from memweaver.adapters.rabbitmq.names import EVERYBODY, FAILED, Names, routing_key
from memweaver.domain.job import Job

PATIENCE = 5.0
"""Seconds for the broker to answer when it is called."""
CONFIRMED = 10.0
"""Seconds for the broker to say that it has a message."""
HIGHEST = 10
"""Priorities the queue tells apart."""


@dataclass(frozen=True, slots=True)
class Link:
    channel: AbstractChannel
    exchange: AbstractExchange
    dead_exchange: AbstractExchange
    queue: AbstractQueue
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """The broker hung up, or took the queue away."""

    async def ring(self, job: Job) -> None:
        """Returns when the broker has it; raises if it has not, or has no queue for it."""
        key = routing_key(job.scope.user)
        await self.exchange.publish(message(job), key, mandatory=True, timeout=CONFIRMED)

    async def toll(self, job: Job) -> None:
        await self.dead_exchange.publish(message(job), FAILED, mandatory=True, timeout=CONFIRMED)

    async def listen(
        self, hear: Callable[[AbstractIncomingMessage], Awaitable[None]], prefetch: int
    ) -> None:
        await self.channel.set_qos(prefetch_count=prefetch, timeout=PATIENCE)
        await self.queue.consume(hear, timeout=PATIENCE)

    def leave(self, *_: object) -> None:
        self.gone.set()


@asynccontextmanager
async def linked(url: URL, names: Names) -> AsyncGenerator[Link]:
    # Not `aio_pika.connect`: what it leaves behind when it fails complains once it is collected.
    connection = aio_pika.Connection(url)
    try:
        await connection.connect(timeout=PATIENCE)
        async with asyncio.timeout(PATIENCE):
            channel = await connection.channel(publisher_confirms=True, on_return_raises=True)
            link = await declared(channel, names)
            channel.close_callbacks.add(link.leave)
            beneath = await channel.get_underlay_channel()
            beneath.on_consumer_cancel_callbacks.add(link.leave)
        yield link
    finally:
        with suppress(*LOST):  # it may be lost already, which whoever used it was told
            async with asyncio.timeout(PATIENCE):
                await connection.close()


async def declared(channel: AbstractChannel, names: Names) -> Link:
    topic, direct = aio_pika.ExchangeType.TOPIC, aio_pika.ExchangeType.DIRECT
    dead_exchange = await channel.declare_exchange(names.dead_exchange, direct, durable=True)
    dead_queue = await channel.declare_queue(names.dead_queue, durable=True)
    await dead_queue.bind(dead_exchange, FAILED)
    exchange = await channel.declare_exchange(names.exchange, topic, durable=True)
    queue = await channel.declare_queue(
        names.queue,
        durable=True,
        arguments={
            "x-max-priority": HIGHEST,
            "x-dead-letter-exchange": names.dead_exchange,
            "x-dead-letter-routing-key": FAILED,
        },
    )
    await queue.bind(exchange, EVERYBODY)
    return Link(channel, exchange, dead_exchange, queue)
