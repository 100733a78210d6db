"""LISTEN and NOTIFY of Postgres as the doorbell, where there is no RabbitMQ."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from memweaver.errors import ConfigurationError
from memweaver.ports.doorbell import Doorbell


@asynccontextmanager
async def open_postgres_bell(url: str) -> AsyncGenerator[Doorbell]:
    """The doorbell in the Postgres database at `url`, closed in the end.

    It has connections of its own, one to ring and one to listen once somebody does. A server that
    is down is waited for in the background, and found again whenever it was lost. A pool between
    that lends connections by transaction loses notifications: give a url that goes around it.

    Raises:
        ConfigurationError: no driver, or a url that cannot be read.
    """
    try:
        from memweaver.adapters.postgres_bell.opening import open_bell  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigurationError(
            "Postgres needs its driver: pip install 'memweaver[postgres]'"
        ) from error
    async with open_bell(url) as bell:
        yield bell
