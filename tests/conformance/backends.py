"""The backends that the storing suites run on."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from sqlalchemy import URL, Column, LargeBinary, Text, TextClause, make_url, text
from tests.servers.postgres import Postgres

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.memory import MemoryMasterKeys, open_memory
from memweaver.adapters.memory.index import InMemoryIndex
from memweaver.adapters.sql import open_sql, postgres, sqlite_url
from memweaver.adapters.sql.database import Database
from memweaver.adapters.sql.migrate import bring_up_to_date
from memweaver.adapters.sql.schema import metadata
from memweaver.adapters.sql.sqlite import open_engine
from memweaver.adapters.sql.store import SqlStore
from memweaver.ports.backend import Backend
from memweaver.ports.keys import MasterKeys
from memweaver.services.keys import Keys
from memweaver.services.working import Working
from memweaver.testing.minds import LastWords


class InMemory:
    def open_backend(self) -> AbstractAsyncContextManager[Backend]:
        return open_memory()


class Sqlite:
    @asynccontextmanager
    async def open_backend(self) -> AsyncGenerator[Backend]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "memweaver.db"
            file.write_bytes(empty_file())
            cipher, keys = open_cipher("aes-gcm"), MemoryMasterKeys()
            async with open_sql(sqlite_url(file), cipher, keys) as backend:
                yield backend


class WithoutTable:
    """A backend over SQL whose queue breaks by one of its tables being away."""

    table = "jobs"

    @asynccontextmanager
    async def broken_queue(self, backend: Backend) -> AsyncGenerator[None]:
        database, away = database_behind(backend), f"{self.table}_away"
        await database.write(lambda c: c.execute(renaming(self.table, away)))
        yield
        await database.write(lambda c: c.execute(renaming(away, self.table)))


def renaming(table: str, to: str) -> TextClause:
    return text(f"ALTER TABLE {table} RENAME TO {to}")


def database_behind(backend: Backend) -> Database:
    """What runs the statements of an SQL backend, to look behind its ports."""
    assert isinstance(backend.store, SqlStore)
    return backend.store._database.plain


def keys_service(master_keys: MasterKeys, backend: Backend) -> Keys:
    windows = backend.windows
    working = Working(backend.store, backend.changes, windows, windows, LastWords())
    return Keys(master_keys, backend.vault, InMemoryIndex(backend.changes, "no model"), working)


@cache
def empty_file() -> bytes:
    """A database with the newest schema and nothing in it, so that each test need not migrate."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        engine = open_engine(sqlite_url(file), writer=True)
        bring_up_to_date(engine, migrate=True)
        engine.dispose()
        return file.read_bytes()


def damaged(file: Path, table: str) -> None:
    """Overwrite the page that a table begins with."""
    with closing(sqlite3.connect(file)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        root = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = connection.execute(root, [table]).fetchone()
    with file.open("r+b") as pages:
        pages.seek((page - 1) * size)
        pages.write(b"\xff" * size)


class OnPostgres:
    @pytest.fixture(autouse=True)
    def _server(self, postgres: Postgres) -> None:
        self.server = postgres

    @asynccontextmanager
    async def open_backend(self) -> AsyncGenerator[Backend]:
        url = emptied_database(self.server)
        cipher, keys = open_cipher("aes-gcm"), MemoryMasterKeys()
        async with open_sql(url, cipher, keys) as backend:
            yield backend


class WithheldOnPostgres(OnPostgres):
    """A server on which our role may do anything but, at times, add to one table."""

    table = "jobs"

    @asynccontextmanager
    async def open_backend(self) -> AsyncGenerator[Backend]:
        self._url = emptied_database(self.server)
        self._say(
            "DROP ROLE IF EXISTS clerk",
            "CREATE ROLE clerk LOGIN",
            "GRANT ALL ON ALL TABLES IN SCHEMA public TO clerk",
            "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO clerk",
        )
        cipher, keys, url = open_cipher("aes-gcm"), MemoryMasterKeys(), self._url
        async with open_sql(url.set(username="clerk"), cipher, keys, migrate=False) as backend:
            yield backend
        self._say("DROP OWNED BY clerk")

    @asynccontextmanager
    async def broken_queue(self, _: Backend) -> AsyncGenerator[None]:
        self._say(f"REVOKE INSERT ON {self.table} FROM clerk")
        yield
        self._say(f"GRANT INSERT ON {self.table} TO clerk")

    def _say(self, *statements: str) -> None:
        engine = postgres.open_engine(self._url)
        with engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement))
        engine.dispose()


def emptied_database(server: Postgres) -> URL:
    """The one database of these suites, emptied: quicker than a new one for each test."""
    url = migrated_database(server)
    engine = postgres.open_engine(url)
    with engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())
    engine.dispose()
    return url


@cache
def migrated_database(server: Postgres) -> URL:
    url = make_url(server.url(server.new_database()))
    engine = postgres.open_engine(url)
    bring_up_to_date(engine, migrate=True)
    engine.dispose()
    return url


def some_value(column: Column[Any]) -> object:
    """What a column of any table can hold."""
    match column.type:
        case Text():
            return "something"
        case LargeBinary():
            return b"something"
        case _:
            return 1
