"""RabbitMQ as the doorbell between servers and workers on many machines."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from memweaver.errors import ConfigurationError
from memweaver.ports.doorbell import Doorbell

EXCHANGE = "memory_reflection_exchange"
QUEUE = "memory_reflection_queue"
PREFETCH = 6
"""Bells handed to one process at a time, twice the usual workers: the next process has others."""


@asynccontextmanager
async def open_rabbitmq(
    url: str,
    password: str = "",
    exchange: str = EXCHANGE,
    queue: str = QUEUE,
    *,
    prefetch: int = PREFETCH,
) -> AsyncGenerator[Doorbell]:
    """The doorbell at the broker at `url`, closed in the end; `password` is for a url without.

    A broker that is down is waited for in the background, and found again whenever it was lost.

    Raises:
        ConfigurationError: no driver, a url that cannot be, a login that is refused, or an
            exchange or queue that exists and is declared differently.
    """
    try:
        from memweaver.adapters.rabbitmq.opening import open_bell  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigurationError(
            "RabbitMQ needs its driver: pip install 'memweaver[rabbitmq]'"
        ) from error
    async with open_bell(url, password, exchange, queue, prefetch) as bell:
        yield bell
