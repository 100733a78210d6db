"""Opens the windows in Redis: the address checked, impatient connections."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from ipaddress import ip_address
from urllib.parse import urlsplit

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from memweaver.adapters.redis.counter import RedisCounter
from memweaver.adapters.redis.errors import translated
from memweaver.adapters.redis.windows import RedisWindows
from memweaver.errors import ConfigurationError
from memweaver.ports.changes import Changes
from memweaver.ports.cipher import Cipher

PATIENCE = 1.0
"""Seconds for Redis to accept a connection, and to answer: making a window again takes less."""


@asynccontextmanager
async def open_windows(
    url: str, cipher: Cipher, changes: Changes, ttl: timedelta
) -> AsyncGenerator[RedisWindows]:
    client = client_at(url)
    try:
        yield RedisWindows(client, cipher, changes, ttl)
    finally:
        await client.aclose()


@asynccontextmanager
async def open_counter(url: str) -> AsyncGenerator[RedisCounter]:
    client = client_at(url)
    try:
        yield RedisCounter(client)
    finally:
        await client.aclose()


async def see(url: str) -> None:
    client = client_at(url)
    try:
        with translated():
            await client.ping()
    finally:
        await client.aclose()


def client_at(url: str) -> "Redis":
    """Raises `ConfigurationError`."""
    refuse_unsafe(url)
    try:
        client: Redis = Redis.from_url(
            url,
            socket_connect_timeout=PATIENCE,
            socket_timeout=PATIENCE,
            # Once more, at once: a connection from before Redis was restarted is of no use.
            retry=Retry(NoBackoff(), 1),
        )
    except ValueError as error:
        raise ConfigurationError("REDIS_URL must be like redis://:password@host:6379/0") from error
    return client


def refuse_unsafe(url: str) -> None:
    try:
        parts = urlsplit(url)
        host, password = parts.hostname, parts.password
    except ValueError as error:
        raise ConfigurationError("REDIS_URL cannot be read: give redis://…") from error
    if parts.scheme in {"redis", "rediss"} and not password and not loopback(host or "localhost"):
        raise ConfigurationError(
            "refusing a Redis on another machine without a password: give it in REDIS_URL as "
            "redis://:password@host:6379/0"
        )


def loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
