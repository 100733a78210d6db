"""Turns the driver's errors into ours."""

from collections.abc import Generator
from contextlib import contextmanager

from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    ConnectionError,  # noqa: A004 - the driver's, which is not the built-in one
    OutOfMemoryError,
    RedisError,
    TimeoutError,  # noqa: A004 - the driver's, which is not the built-in one
)

from memweaver.errors import BackendError, BackendUnavailable, StorageFull


@contextmanager
def translated() -> Generator[None]:
    """Let no driver error out of this adapter."""
    try:
        yield
    except (RedisError, OSError) as error:
        raise ours(error) from error


def ours(error: RedisError | OSError) -> BackendError:
    """What to say of a driver's error, without its words, which may name the keys."""
    kind = type(error).__name__
    match error:
        case AuthenticationError() | AuthorizationError():
            return BackendError(
                f"Redis refuses this login ({kind}): check the user and password in REDIS_URL"
            )
        case OutOfMemoryError():
            return StorageFull(
                f"Redis has no room left ({kind}): raise its maxmemory, or let it evict keys"
            )
        case ConnectionError() | TimeoutError() | BusyLoadingError() | OSError():
            return BackendUnavailable(f"Redis could not be reached: try again ({kind})")
        case _:
            return BackendError(f"Redis refused ({kind})")
