"""Redis for what several servers share: working memory, and counting how often one asks.

It may be flushed or dead at any time.
"""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta

from memweaver.errors import ConfigurationError
from memweaver.ports.changes import Changes
from memweaver.ports.cipher import Cipher
from memweaver.ports.counter import Counter
from memweaver.ports.windows import Windows


@asynccontextmanager
async def open_redis(
    url: str, cipher: Cipher, changes: Changes, ttl: timedelta
) -> AsyncGenerator[Windows]:
    """The windows in the Redis at `url`, closed in the end; each is let go `ttl` after its keeping.

    A Redis that is down is found when it is there: every method says `BackendUnavailable` until
    then, after a second or two.

    Raises:
        ConfigurationError: no driver, or a url that cannot be.
    """
    with driver_at_hand():
        from memweaver.adapters.redis.opening import open_windows  # noqa: PLC0415 - an extra
    async with open_windows(url, cipher, changes, ttl) as windows:
        yield windows


@asynccontextmanager
async def open_redis_counter(url: str) -> AsyncGenerator[Counter]:
    """The counter in the Redis at `url`, closed in the end. Raises `ConfigurationError`."""
    with driver_at_hand():
        from memweaver.adapters.redis.opening import open_counter  # noqa: PLC0415 - an extra
    async with open_counter(url) as counter:
        yield counter


@contextmanager
def driver_at_hand() -> Generator[None]:
    """Raises `ConfigurationError`."""
    try:
        yield
    except ImportError as error:
        raise ConfigurationError(
            "Redis needs its driver: pip install 'memweaver[redis]'"
        ) from error


async def ping(url: str) -> None:
    """See whether the Redis at `url` answers. Raises `BackendError` and as `open_redis` does."""
    with driver_at_hand():
        from memweaver.adapters.redis.opening import see  # noqa: PLC0415 - an extra
    await see(url)
