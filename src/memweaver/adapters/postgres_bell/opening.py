"""Opens the doorbell: the address checked, the connections kept by a task that ends with it."""

import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from memweaver.adapters.postgres_bell.bell import PostgresDoorbell
from memweaver.adapters.postgres_bell.line import PATIENCE
from memweaver.background import beside
from memweaver.errors import ConfigurationError


@asynccontextmanager
async def open_bell(url: str) -> AsyncGenerator[PostgresDoorbell]:
    bell = PostgresDoorbell(address(url))
    async with beside(bell.run()):
        yield bell
        await bell.close()


def address(url: str) -> Mapping[str, Any]:
    """Where the server is, as the driver wants it. Raises `ConfigurationError`."""
    plain = re.sub(r"^postgresql\+\w+://", "postgresql://", url)
    try:
        given = conninfo_to_dict(plain)
    except ProgrammingError:
        # The driver's message quotes the url, and so perhaps the password.
        raise ConfigurationError("the doorbell's url cannot be read: give postgresql://…") from None
    return {"autocommit": True, "connect_timeout": int(PATIENCE), **given}
