"""A queue that is broken by itself is told apart from a database that is in trouble."""

import asyncio
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection, exc
from tests.conformance.backends import Sqlite, WithoutTable, damaged, database_behind, empty_file

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.adapters.sql import open_sql, sqlite_url
from memweaver.adapters.sql.errors import of_the_queue
from memweaver.domain.job import Priority
from memweaver.errors import (
    BackendError,
    BackendUnavailable,
    MemweaverError,
    NotFound,
    QueueUnavailable,
    StorageFull,
)
from memweaver.testing.conformance.backend import ANN, BOB, a_turn
from memweaver.testing.conformance.queue import leave


@pytest.mark.parametrize("table", ["jobs", "lanes", "jobs_by_id"])
async def test_a_damaged_table_of_the_queue_costs_no_turn(tmp_path: Path, table: str) -> None:
    file = tmp_path / "memweaver.db"
    file.write_bytes(empty_file())
    damaged(file, table)
    async with open_sql(sqlite_url(file), open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        with pytest.raises(QueueUnavailable, match="put them back"):
            await leave(backend, "t1")
        with pytest.raises(NotFound):
            await backend.store.turn(ANN, "t1")
        told = await asyncio.gather(
            backend.store.record([a_turn("t1")]),
            backend.store.record([a_turn("t2")], priority=Priority.NORMAL),
            backend.store.record([a_turn("t3")]),
            return_exceptions=True,
        )
        assert [isinstance(one, QueueUnavailable) for one in told] == [False, True, False]
        page = await backend.store.turns(ANN, session=None, before=None, limit=9)
        assert [turn.id for turn in page.items] == ["t3", "t1"]


async def test_damaged_turns_are_not_blamed_on_the_queue(tmp_path: Path) -> None:
    file = tmp_path / "memweaver.db"
    file.write_bytes(empty_file())
    damaged(file, "turns")
    async with open_sql(sqlite_url(file), open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        with pytest.raises(BackendError, match="put back a copy") as refused:
            await leave(backend, "t1")
        assert not isinstance(refused.value, QueueUnavailable)


async def test_those_in_the_same_commit_are_kept() -> None:
    async with Sqlite().open_backend() as backend, WithoutTable().broken_queue(backend):
        ways = {"t1": None, "t2": Priority.NORMAL, "t3": None}
        told = await asyncio.gather(
            *(backend.store.record([a_turn(name)], priority=ways[name]) for name in ways),
            backend.store.record([a_turn("t1", scope=BOB)], priority=Priority.HIGH),
            return_exceptions=True,
        )
        assert [isinstance(one, QueueUnavailable) for one in told] == [False, True, False, True]
        page = await backend.store.turns(ANN, session=None, before=None, limit=9)
        assert [turn.id for turn in page.items] == ["t3", "t1"]
        assert await backend.vault.users() == ["ann"]


def no_room(connection: Connection) -> None:
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
    connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}").close()


async def test_wherever_the_room_ends_it_is_called_so() -> None:
    async with Sqlite().open_backend() as backend:
        await leave(backend, "t0")
        await database_behind(backend).write(no_room)
        refused: MemweaverError | None = None
        for number in range(1, 200):
            try:
                await leave(backend, f"t{number}")
            except MemweaverError as error:
                refused = error
        assert isinstance(refused, StorageFull)


def of_sqlite(code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError("as SQLite says")
    error.sqlite_errorcode = code
    return error


def of_postgres(state: str | None) -> exc.DBAPIError:
    class OperationalError(Exception):
        sqlstate = state

    cause = OperationalError("as Postgres says\nDETAIL: (ann)")
    return exc.DBAPIError("INSERT", {}, cause)


@pytest.mark.parametrize(
    ("error", "family"),
    [
        (of_sqlite(sqlite3.SQLITE_ERROR), QueueUnavailable),
        (of_sqlite(sqlite3.SQLITE_CORRUPT_VTAB), QueueUnavailable),
        (of_sqlite(sqlite3.SQLITE_CONSTRAINT_UNIQUE), QueueUnavailable),
        (of_sqlite(sqlite3.SQLITE_FULL), StorageFull),
        (of_sqlite(sqlite3.SQLITE_BUSY_SNAPSHOT), BackendUnavailable),
        (of_sqlite(sqlite3.SQLITE_IOERR_WRITE), BackendError),
        (of_sqlite(sqlite3.SQLITE_READONLY), BackendError),
        (of_postgres("42P01"), QueueUnavailable),
        (of_postgres("42501"), QueueUnavailable),
        (of_postgres("XX001"), QueueUnavailable),
        (of_postgres("58P01"), QueueUnavailable),
        (of_postgres("58030"), BackendError),
        (of_postgres("25006"), BackendError),
        (of_postgres("53100"), StorageFull),
        (of_postgres("53200"), BackendUnavailable),
        (of_postgres("57P01"), BackendUnavailable),
        (of_postgres("40001"), BackendUnavailable),
        (of_postgres(None), BackendUnavailable),
    ],
)
def test_only_what_ails_one_table_is_the_queues(
    error: exc.DBAPIError | sqlite3.Error, family: type[BackendError]
) -> None:
    told = of_the_queue(error)
    assert type(told) is family
    assert "DETAIL" not in str(told)
