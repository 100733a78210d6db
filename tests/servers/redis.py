"""A private Redis server, which keeps nothing when it ends."""

from collections.abc import Generator
from contextlib import contextmanager

from tests.servers.private import Private, private


@contextmanager
def private_redis() -> Generator[Private]:
    with private("redis", "redis-server") as server:
        yield server


def redis_url(server: Private) -> str:
    return f"redis://127.0.0.1:{server.port}/0"
