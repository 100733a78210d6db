"""Redis for working memory that several servers share. It may be flushed or dead at any time."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta

from memweaver.errors import ConfigurationError
from memweaver.ports.changes import Changes
from memweaver.ports.cipher import Cipher
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
    try:
        from memweaver.adapters.redis.opening import open_windows  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigurationError(
            "Redis needs its driver: pip install 'memweaver[redis]'"
        ) from error
    async with open_windows(url, cipher, changes, ttl) as windows:
        yield windows
