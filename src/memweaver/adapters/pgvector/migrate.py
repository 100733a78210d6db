"""Brings this index's schema, and the kind of its vector index, to what the settings ask for."""

import logging
from functools import cache
from importlib.resources import files

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from memweaver.adapters.pgvector import method
from memweaver.errors import ConfigurationError, SchemaMismatch

STEPS = str(files("memweaver.adapters.pgvector.migrations"))
VERSION_TABLE = "memweaver_pgvector_version"
LOCK = 7_364_126_908
"""The advisory lock that lets one process at a time change the schema of this index."""
OLDEST = (0, 8)
"""The first pgvector that goes on searching until enough rows of one user are found."""

AVAILABLE = text(
    "SELECT coalesce(installed_version, default_version) FROM pg_available_extensions"
    " WHERE name = 'vector'"
)
WIDTH = text(
    "SELECT atttypmod FROM pg_attribute"
    " WHERE attrelid = 'memory_associative'::regclass AND attname = 'embedding'"
)
EMPTY = text("TRUNCATE memory_associative, memory_associative_users")
RETYPE = "ALTER TABLE memory_associative ALTER COLUMN embedding TYPE vector({})"

log = logging.getLogger(__name__)


def bring_up_to_date(connection: Connection, dimensions: int, *, migrate: bool) -> None:
    """Migrate to the newest schema and to vectors of `dimensions` numbers.

    Without `migrate`, only see that it is so.

    Raises:
        ConfigurationError: the server lacks pgvector.
        SchemaMismatch: the schema is newer than this program, or it, or the length of vectors,
            is another and may not be changed.
    """
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
    demand_pgvector(connection)
    found, newest = current_revision(connection), known_steps()[0]
    if found != newest:
        refuse(found, newest, migrate=migrate)
        command.upgrade(config_for(connection, dimensions), "head")
    fit_width(connection, dimensions, migrate=migrate)


def demand_pgvector(connection: Connection) -> None:
    version = connection.execute(AVAILABLE).scalar_one_or_none()
    if version is None:
        raise ConfigurationError(
            "the Postgres server has no pgvector: install its package on the server, "
            "or use the index of kind `shard`"
        )
    if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise ConfigurationError(
            f"the Postgres server has pgvector {version}, the index needs 0.8 or newer: "
            "install it, then run `ALTER EXTENSION vector UPDATE`"
        )


def fit_width(connection: Connection, dimensions: int, *, migrate: bool) -> None:
    """Have the column take vectors of `dimensions` numbers.

    Vectors of another length are of a former model. Everything here is derived: the rows are
    emptied, and made anew from the store as each user is followed.
    """
    width = connection.execute(WIDTH).scalar_one()
    if width == dimensions:
        return
    if not migrate:
        raise SchemaMismatch(
            f"the pgvector index holds vectors of {width} numbers and the embedder makes "
            f"{dimensions}: start once with migration switched on, and it is filled anew"
        )
    retype(connection, dimensions)
    log.warning(
        "The embedder makes vectors of %d numbers, not %d as before: the pgvector index is "
        "emptied, and filled again from the store as each user is searched.",
        dimensions,
        width,
    )


def retype(connection: Connection, dimensions: int) -> None:
    """Empty the tables, and have another length of vectors under the same kind of index."""
    kind = method.kind_of_index(connection)
    connection.execute(method.DROP)
    connection.execute(EMPTY)
    connection.execute(text(RETYPE.format(dimensions)))
    if kind is not None and dimensions <= method.MOST_INDEXED:
        connection.execute(method.MAKE[kind])


def refuse(found: str | None, newest: str, *, migrate: bool) -> None:
    """Raises `SchemaMismatch` unless the schema may be brought from `found` to `newest`."""
    if found is not None and found not in known_steps():
        raise SchemaMismatch(
            f"the pgvector index has schema {found}, which is newer than this program: "
            "install the newer Memweaver that made it"
        )
    if not migrate:
        raise SchemaMismatch(
            f"the pgvector index has schema {found or 'none'}, this program needs {newest}: "
            "start once with migration switched on"
        )


@cache
def known_steps() -> tuple[str, ...]:
    """All steps, the newest first."""
    return tuple(script.revision for script in ScriptDirectory(STEPS).walk_revisions())


def current_revision(connection: Connection) -> str | None:
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    return context.get_current_revision()


def config_for(connection: Connection, dimensions: int) -> Config:
    config = Config()
    config.set_main_option("script_location", STEPS)
    config.attributes["connection"] = connection
    config.attributes["dimensions"] = dimensions
    return config
