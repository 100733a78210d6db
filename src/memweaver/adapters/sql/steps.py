"""Moves a database's schema step by step, forth and back, when a person says so."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, text

from memweaver.adapters.sql import postgres, sqlite
from memweaver.adapters.sql.errors import translated
from memweaver.adapters.sql.migrate import LOCK, config_for, current_revision, refuse_newer
from memweaver.adapters.sql.opening import parsed
from memweaver.errors import InvalidInput

NOTHING = "base"
"""The name of the schema before the first step: no tables at all."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The step a database is at, among all steps this program knows, oldest first."""

    at: str
    steps: tuple[str, ...]

    @property
    def newest(self) -> str:
        return self.steps[-1]

    def back(self, to: str) -> bool:
        """Whether `to` lies before where the database is. Raises `InvalidInput`."""
        if to not in self.steps:
            raise InvalidInput(f"`to` must be one of {', '.join(self.steps)}")
        return self.steps.index(to) < self.steps.index(self.at)


def read_schema(url: str | URL) -> Schema:
    """Raises `SchemaMismatch` if the database is newer than this program."""
    address = parsed(url)
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").exists():
        return Schema(NOTHING, known_steps())
    with connected(address) as connection:
        return schema_of(connection)


def move_schema(url: str | URL, to: str) -> Schema:
    """Go to step `to`, whole or not at all; going back loses what only newer steps can hold.

    Raises:
        InvalidInput: there is no such step.
        SchemaMismatch: the database is newer than this program.
    """
    with connected(parsed(url)) as connection:
        go = command.downgrade if schema_of(connection).back(to) else command.upgrade
        go(config_for(connection), to)
        return schema_of(connection)


def schema_of(connection: Connection) -> Schema:
    found = current_revision(connection)
    refuse_newer(config_for(connection), found)
    return Schema(found or NOTHING, known_steps())


def known_steps() -> tuple[str, ...]:
    scripts = ScriptDirectory(str(files("memweaver.adapters.sql.migrations"))).walk_revisions()
    return (NOTHING, *reversed([script.revision for script in scripts]))


@contextmanager
def connected(url: URL) -> Generator[Connection]:
    """One transaction in which nobody else migrates."""
    engine = engine_at(url)
    try:
        with translated(), engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
            yield connection
    finally:
        engine.dispose()


def engine_at(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        sqlite.private_file(Path(url.database or ""))
        return sqlite.open_engine(url, writer=True)
    return postgres.open_engine(url, 1)
