"""Postgres: a server that many processes write to at once."""

from sqlalchemy import URL, Connection, Engine, create_engine, text

from memweaver.errors import ConfigurationError

PATIENCE = 10
"""Seconds to wait for the server to accept a connection."""


def open_engine(url: URL, connections: int) -> Engine:
    try:
        from memweaver.adapters.sql.binary import BinaryCursor  # noqa: PLC0415 - optional driver
    except ImportError as error:
        raise ConfigurationError(
            "Postgres needs its driver: pip install 'memweaver[postgres]'"
        ) from error
    return create_engine(
        url.set(drivername="postgresql+psycopg"),
        pool_size=connections,
        max_overflow=0,
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"connect_timeout": PATIENCE, "cursor_factory": BinaryCursor},
    )


def demand_durable(connection: Connection) -> None:
    """Raises `ConfigurationError` if the server would answer before it has kept a write."""
    if connection.execute(text("SHOW synchronous_commit")).scalar_one() == "off":
        raise ConfigurationError(
            "Postgres runs with synchronous_commit=off and may lose what was answered: "
            "set it to `on` for this database"
        )
