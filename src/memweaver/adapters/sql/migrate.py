"""Brings a database's schema to the one this program knows."""

from importlib.resources import files

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from memweaver.adapters.sql.errors import translated
from memweaver.errors import SchemaMismatch

LOCK = 7_364_126_907
"""The advisory lock that lets one process at a time migrate a Postgres database."""


def bring_up_to_date(engine: Engine, *, migrate: bool) -> None:
    """Migrate to the newest schema, or, without `migrate`, only see that it is the newest.

    Raises:
        SchemaMismatch: the schema is newer than this program, or older and may not be migrated.
    """
    with translated(), engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        config = config_for(connection)
        newest = ScriptDirectory.from_config(config).get_current_head()
        found = current_revision(connection)
        if found == newest:
            return
        refuse_newer(config, found)
        if not migrate:
            raise SchemaMismatch(
                f"the database has schema {found or 'none'}, this program needs {newest}: "
                "run `memweaver migrate`"
            )
        command.upgrade(config, "head")


def refuse_newer(config: Config, found: str | None) -> None:
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise SchemaMismatch(
            f"the database has schema {found}, which is newer than this program: "
            "install the newer Memweaver that wrote it, or restore a copy from before"
        )


def current_revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def config_for(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("memweaver.adapters.sql.migrations")))
    config.attributes["connection"] = connection
    return config
