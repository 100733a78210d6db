"""Postgres: a server that many processes write to at once."""

from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, text

from memweaver.adapters.sql.errors import translated
from memweaver.errors import ConfigurationError

PATIENCE = 10
"""Seconds to wait for the server to accept a connection."""


def open_engine(url: URL, connections: int = 1) -> Engine:
    try:
        return create_engine(
            url.set(drivername="postgresql+psycopg"),
            pool_size=connections,
            max_overflow=0,
            pool_pre_ping=True,
            hide_parameters=True,
            connect_args={"connect_timeout": PATIENCE},
        )
    except ImportError as error:
        raise ConfigurationError(
            "Postgres needs its driver: pip install 'memweaver[postgres]'"
        ) from error


def open_pool(url: URL, connections: int) -> Engine:
    """The same for our own tables only: those of Postgres itself do not read well in binary."""
    engine = open_engine(url, connections)
    event.listen(engine, "connect", answer_in_binary)
    return engine


def answer_in_binary(connection: Any, _record: object) -> None:
    from memweaver.adapters.sql.binary import BinaryCursor  # noqa: PLC0415 - an optional driver

    connection.cursor_factory = BinaryCursor


def demand_durable(engine: Engine) -> None:
    """Raises `ConfigurationError` if the server would answer before it has kept a write."""
    with translated(), engine.begin() as connection:
        setting = connection.execute(text("SHOW synchronous_commit")).scalar_one()
    if setting == "off":
        raise ConfigurationError(
            "Postgres runs with synchronous_commit=off and may lose what was answered: "
            "set it to `on` for this database"
        )
