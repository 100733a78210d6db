"""The schema of the store that the settings name."""

from sqlalchemy import URL

from memweaver.adapters.sql import sqlite_url
from memweaver.adapters.sql.steps import Schema, move_schema, read_schema
from memweaver.app.sections import InMemoryStore, PostgresStore, SqliteStore
from memweaver.app.settings import Settings
from memweaver.errors import Unsupported


def schema(settings: Settings) -> Schema:
    """Raises `Unsupported`, `SchemaMismatch`, `BackendError`."""
    return read_schema(store_url(settings))


def migrate(settings: Settings, to: str) -> Schema:
    """Bring the store to step `to`. Raises `InvalidInput` and what `schema` raises."""
    return move_schema(store_url(settings), to)


def store_url(settings: Settings) -> str | URL:
    match settings.store:
        case SqliteStore(path=path):
            return sqlite_url(path or settings.data / "memweaver.db")
        case PostgresStore(url=url):
            return url.get_secret_value()
        case InMemoryStore():
            raise Unsupported("the store in memory has no schema to migrate")
