"""SQLite: durable, private, one writer that nothing stops, nothing half-written."""

import asyncio
import sqlite3
import stat
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import Event, current_thread
from typing import Any

import pytest
from sqlalchemy import Connection, func, select, table, text
from tests.conformance.backends import damaged, database_behind

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.adapters.sql import changes, log, open_sql, sqlite, sqlite_url, turns, writer
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.sqlite import SqliteDatabase, private_file
from memweaver.adapters.sql.writer import Batch, Job
from memweaver.errors import (
    BackendError,
    BackendUnavailable,
    ConfigurationError,
    NotFound,
    StorageFull,
)
from memweaver.testing.conformance.backend import ANN, a_turn


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a folder?" / "50% #1.db"


@pytest.fixture
async def database(file: Path) -> AsyncGenerator[SqliteDatabase]:
    private_file(file)
    database = SqliteDatabase(sqlite_url(file), connections=2)
    await database.write(create_log)
    yield database
    database.close()


def create_log(connection: Connection) -> None:
    connection.execute(text("CREATE TABLE log (line TEXT)"))


def noting(line: str) -> Callable[[Connection], None]:
    def note(connection: Connection) -> None:
        connection.execute(text("INSERT INTO log VALUES (:line)"), {"line": line})

    return note


def failing(_: Connection) -> None:
    raise NotFound("nothing")


async def lines(database: SqliteDatabase) -> list[str]:
    return await database.read(
        lambda c: list(c.execute(text("SELECT line FROM log ORDER BY rowid")).scalars())
    )


def pragma(connection: Connection, name: str) -> object:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


async def test_the_writer_waits_for_the_disk(database: SqliteDatabase) -> None:
    assert await database.write(lambda c: pragma(c, "synchronous")) == 2
    assert await database.write(lambda c: pragma(c, "journal_mode")) == "wal"
    assert await database.write(lambda c: pragma(c, "secure_delete")) == 1
    assert await database.write(lambda c: pragma(c, "foreign_keys")) == 1


@pytest.mark.parametrize(
    ("name", "value"), [("synchronous", "normal"), ("journal_mode", "off"), ("secure_delete", 0)]
)
async def test_anything_weaker_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setitem(sqlite.PRAGMAS, name, value)
    with pytest.raises(ConfigurationError, match=name):
        async with open_sql(sqlite_url(file), open_cipher("aes-gcm"), MemoryMasterKeys()):
            pass


@pytest.mark.usefixtures("database")
async def test_only_its_owner_may_read_the_file(file: Path) -> None:
    assert {one.name for one in file.parent.iterdir()} > {file.name}
    for one in file.parent.iterdir():
        assert stat.S_IMODE(one.stat().st_mode) == 0o600


async def test_a_reader_cannot_write(database: SqliteDatabase) -> None:
    with pytest.raises(BackendError, match="readonly"):
        await database.read(noting("written by a reader"))
    assert await lines(database) == []


async def test_a_read_sees_one_state_of_everything(database: SqliteDatabase) -> None:
    loop = asyncio.get_running_loop()

    def read_twice(connection: Connection) -> tuple[int, int]:
        count = text("SELECT count(*) FROM log")
        before: int = connection.execute(count).scalar_one()
        written = database.write(noting("meanwhile"))
        asyncio.run_coroutine_threadsafe(written, loop).result()
        return before, connection.execute(count).scalar_one()

    assert await database.read(read_twice) == (0, 0)
    assert await lines(database) == ["meanwhile"]


async def test_works_that_wait_together_are_committed_together(database: SqliteDatabase) -> None:
    commits = 0

    def work(connection: Connection) -> None:
        nonlocal commits
        commits += connection.exec_driver_sql("SELECT count(*) FROM log").scalar_one() == 0
        noting("one of many")(connection)

    await asyncio.gather(*(database.write(work) for _ in range(64)))
    assert len(await lines(database)) == 64
    assert commits == 1


async def test_a_work_that_fails_takes_only_itself_back(database: SqliteDatabase) -> None:
    def fail(connection: Connection) -> None:
        noting("taken back")(connection)
        raise NotFound("no such thing")

    def crash(connection: Connection) -> None:
        noting("taken back")(connection)
        raise ZeroDivisionError

    keep = noting("kept")
    answers = await asyncio.gather(
        *(database.write(work) for work in (keep, fail, keep, crash, keep)),
        return_exceptions=True,
    )
    assert [type(answer) for answer in answers[1::2]] == [NotFound, ZeroDivisionError]
    assert await lines(database) == ["kept"] * 3


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("beside", [[], [failing]])
async def test_what_cannot_be_committed_is_taken_back_and_spoils_nothing_later(
    database: SqliteDatabase,
    beside: Sequence[Callable[[Connection], None]],
    quick: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    def heirs(connection: Connection) -> None:
        connection.execute(text("CREATE TABLE kin (id INTEGER PRIMARY KEY)"))
        kin = "INTEGER REFERENCES kin (id) DEFERRABLE INITIALLY DEFERRED"
        connection.execute(text(f"CREATE TABLE heirs (of {kin})"))

    def orphan(connection: Connection) -> None:
        connection.execute(text("INSERT INTO heirs VALUES (7)"))

    await database.write(heirs)
    works = (noting("with it"), orphan, *beside)
    writing = (database.write(work, quick=quick) for work in works)
    told = await asyncio.gather(*writing, return_exceptions=True)
    assert all(isinstance(one, BackendError | NotFound) for one in told)
    await database.write(noting("later"))
    assert await lines(database) == ["later"]


def where_it_runs(_: Connection) -> str:
    return current_thread().name


async def test_quick_works_are_run_by_the_event_loop_and_others_by_the_writer(
    database: SqliteDatabase,
) -> None:
    here = current_thread().name
    assert await database.write(where_it_runs, quick=True) == here
    assert await database.write(where_it_runs) == "memweaver-writer"
    both = [database.write(where_it_runs, quick=True), database.write(where_it_runs)]
    assert await asyncio.gather(*both) == ["memweaver-writer"] * 2
    many = [database.write(where_it_runs, quick=True) for _ in range(writer.FEW + 1)]
    assert set(await asyncio.gather(*many)) == {"memweaver-writer"}
    assert await database.write(where_it_runs, quick=True) == here


class Stopped(BaseException):
    """As when somebody stops the program."""


async def test_what_is_stopped_on_the_event_loop_leaves_nothing_open(
    database: SqliteDatabase,
) -> None:
    def stopped(connection: Connection) -> None:
        noting("half")(connection)
        raise Stopped

    loop = asyncio.get_running_loop()
    with pytest.raises(Stopped):
        database._writer._begun([Job(loop, loop.create_future(), stopped, quick=True)])
    await database.write(noting("later"))
    assert await lines(database) == ["later"]


async def test_only_little_of_a_user_whose_key_is_open_is_quick(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, record = list[str](), turns.record

    def noted(*given: Any) -> Any:
        runs.append(current_thread().name)
        return record(*given)

    monkeypatch.setattr(turns, "record", noted)
    here, thread = current_thread().name, "memweaver-writer"
    async with open_sql(sqlite_url(file), open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await backend.store.record([a_turn("first")])
        await backend.store.record([a_turn("second")])
        await backend.store.record([a_turn(f"t{n}") for n in range(9)])
        await backend.store.record([a_turn("long", text="word " * 2000)])
        await backend.store.record([a_turn("short")])
    assert runs == [thread, here, thread, thread, here]


async def test_quick_works_wait_their_turn_behind_the_writer(database: SqliteDatabase) -> None:
    begun, go_on = Event(), Event()

    def long(connection: Connection) -> None:
        noting("long")(connection)
        begun.set()
        assert go_on.wait(10)

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(database.write(long))
        assert await asyncio.to_thread(begun.wait, 10)
        quick = tasks.create_task(database.write(noting("quick"), quick=True))
        await asyncio.sleep(0.01)
        assert not quick.done()
        go_on.set()
    assert await lines(database) == ["long", "quick"]


async def test_a_quick_work_that_fails_is_told_and_takes_no_other_with_it(
    database: SqliteDatabase,
) -> None:
    works = (noting("one"), failing, noting("two"))
    writing = (database.write(work, quick=True) for work in works)
    told = await asyncio.gather(*writing, return_exceptions=True)
    assert [type(one) for one in told] == [type(None), NotFound, type(None)]
    assert await lines(database) == ["one", "two"]


async def test_the_event_loop_never_waits_for_another_process(
    database: SqliteDatabase, file: Path
) -> None:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with asyncio.TaskGroup() as tasks:
            quick = tasks.create_task(database.write(noting("patient"), quick=True))
            async with asyncio.timeout(writer.PATIENCE / 2):
                for _ in range(10):
                    await asyncio.sleep(0.01)
            assert not quick.done()
            other.execute("COMMIT")
    assert await lines(database) == ["patient"]


async def test_the_log_is_moved_into_the_file_beside_the_writer(
    database: SqliteDatabase, file: Path
) -> None:
    several_to_a_page = "carried over " * 100  # what is on the last page may be written meanwhile
    for _ in range(log.EVERY):
        await database.write(noting(several_to_a_page))
    for _ in range(1000):
        if b"carried over" in await asyncio.to_thread(file.read_bytes):
            break
        await asyncio.sleep(0.01)
    else:
        pytest.fail("nothing was moved in ten seconds")


@pytest.mark.parametrize("beside", [True, False])
async def test_the_log_does_not_grow_for_ever(
    file: Path, monkeypatch: pytest.MonkeyPatch, *, beside: bool
) -> None:
    """Whatever becomes of moving it beside the writer, the writer itself has the last word."""
    monkeypatch.setattr(log, "LONGEST", 100)
    monkeypatch.setattr(log, "EVERY", 16 if beside else 10_000)
    private_file(file)
    with closing(SqliteDatabase(sqlite_url(file), connections=2)) as database:
        await database.write(create_log)
        for _ in range(400):
            await database.write(noting("a page " * 500))
        pages = file.with_name(f"{file.name}-wal").stat().st_size / 4096
    assert pages < 300


async def gone(file: Path, words: bytes) -> bool:
    """Whether the words leave the file and its log within ten seconds."""
    files = [file, file.with_name(f"{file.name}-wal")]
    for _ in range(200):
        left = [await asyncio.to_thread(one.read_bytes) for one in files]
        if not any(words in each for each in left):
            return True
        await asyncio.sleep(0.05)
    return False


def erase_all(connection: Connection) -> None:
    connection.execute(text("DELETE FROM log"))


async def test_what_is_deleted_while_somebody_reads_is_overwritten_once_they_have_left(
    database: SqliteDatabase, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "AGAIN", 0.05)
    await database.write(noting("to be forgotten"))
    with closing(sqlite3.connect(file)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM log").fetchall()
        await database.write(erase_all)
        await database.scrub()
        assert b"to be forgotten" in file.with_name(f"{file.name}-wal").read_bytes()
    assert await gone(file, b"to be forgotten")


async def test_scrubbing_never_fails_and_is_made_up_for(
    database: SqliteDatabase, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log, "AGAIN", 0.05)
    await database.write(noting("to be forgotten"))
    await database.write(erase_all)

    def nothing_free() -> None:
        raise sqlite3.OperationalError("unable to open database file")

    with monkeypatch.context() as out_of_files:
        out_of_files.setattr(database._writers, "raw_connection", nothing_free)
        await database.scrub()
    assert await gone(file, b"to be forgotten")


async def test_who_gives_up_waiting_leaves_nothing(database: SqliteDatabase) -> None:
    blocked = asyncio.Event()
    loop = asyncio.get_running_loop()
    go_on = asyncio.Event()

    def hold(_: Connection) -> None:
        loop.call_soon_threadsafe(blocked.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result()

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(database.write(hold))
        await blocked.wait()
        waiting = tasks.create_task(database.write(noting("unwanted")))
        await asyncio.sleep(0)
        waiting.cancel()
        go_on.set()
    assert await lines(database) == []


async def test_who_leaves_before_the_answer_stops_nobody(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.new_event_loop()
    wake = loop.call_soon_threadsafe

    def close_and_wake(*answers: Any) -> None:
        loop.close()
        wake(*answers)

    monkeypatch.setattr(loop, "call_soon_threadsafe", close_and_wake)
    database._writer._waiting.put(Batch([Job(loop, loop.create_future(), noting("theirs"))]))
    async with asyncio.timeout(10):
        await database.write(noting("ours"))
        await database.write(noting("ours, later"))
    assert await lines(database) == ["theirs", "ours", "ours, later"]


async def test_a_full_disk_is_named_and_nothing_is_half_written(file: Path) -> None:
    async with open_sql(sqlite_url(file), open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await backend.store.record([a_turn("kept")])
        database = database_behind(backend)
        full = await database.write(lambda c: pragma(c, "page_count"))
        await database.write(lambda c: pragma(c, f"max_page_count = {full}"))
        given = [a_turn("small"), a_turn("large", text="words " * 50_000)]
        with pytest.raises(StorageFull, match="free some space"):
            await backend.store.record(given)
        page = await backend.store.turns(ANN, session=None, before=None, limit=10)
        assert [turn.id for turn in page.items] == ["kept"]
        await database.write(lambda c: pragma(c, "max_page_count = 1000000"))
        assert await backend.store.record(given) == given
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_a_file_that_somebody_else_keeps_locked_is_unavailable(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "PATIENCE", 0)
    async with open_sql(sqlite_url(file), open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(BackendUnavailable):
                await backend.store.record([a_turn()])
            assert await backend.changes.stamp("ann") is None
            other.execute("COMMIT")
        assert await backend.store.record([a_turn()]) == [a_turn()]


async def test_erasing_does_not_wait_for_a_reader_of_an_older_state(file: Path) -> None:
    async with open_sql(sqlite_url(file), open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await backend.store.record([a_turn()])
        with closing(sqlite3.connect(file, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM turns").fetchone() == (1,)
            await backend.store.erase_turn(ANN, "t1")
            assert reader.execute("SELECT count(*) FROM turns").fetchone() == (1,)
        assert (await backend.store.turns(ANN, session=None, before=None, limit=9)).items == []


class BusyFile:
    def execute(self, *_: object) -> None:
        raise sqlite3.OperationalError("database is locked")


async def test_a_glance_at_a_busy_file_waits_off_the_event_loop(file: Path) -> None:
    async with open_sql(sqlite_url(file), open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await backend.store.record([a_turn()])
        before = await backend.changes.stamp("ann")
        told = await backend.changes.since("ann", 0, 1)
        database_behind(backend)._glancer = BusyFile()  # type: ignore[attr-defined] # SQLite's
        assert await backend.changes.stamp("ann") == before
        assert await backend.changes.since("ann", 0, 1) == told
        assert told.turns == [a_turn()]


COUNTED = select(func.count().label("lines")).select_from(table("log"))


class Late(Prepared):
    """A lookup before which somebody else writes."""

    def rows(self, driver: sqlite3.Connection, parameters: Mapping[str, object]) -> Sequence[Any]:
        _, _, file = driver.execute("PRAGMA database_list").fetchone()
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("INSERT INTO log VALUES ('meanwhile')")
        return super().rows(driver, parameters)


async def test_glances_see_one_state_and_do_not_stay_in_it(database: SqliteDatabase) -> None:
    assert await database.glances([Prepared(COUNTED), Late(COUNTED)], {}, 2) == [[(0,)], [(0,)]]
    assert await database.glance(Prepared(COUNTED), {}) == [(1,)]


async def test_nobody_looks_behind_all_that_there_can_be(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await database.glances([Prepared(COUNTED), Late(COUNTED)], {}, 1) == [[(0,)], ()]
    monkeypatch.setattr(database, "_glancer", BusyFile())
    assert await database.glances([Prepared(COUNTED), Late(COUNTED)], {}, 1) == [[(0,)], ()]
    assert await database.glances([Prepared(COUNTED)] * 2, {}, 2) == [[(0,)], [(0,)]]


async def test_a_few_light_changes_are_told_without_a_thread_once_the_key_is_open(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = list[object]()

    async def read(self: SqliteDatabase, work: Callable[[Connection], Any]) -> Any:
        reads.append(work)
        return await real(self, work)

    real = SqliteDatabase.read
    keys, cipher = MemoryMasterKeys(), open_cipher("aes-gcm")
    async with open_sql(sqlite_url(file), cipher, keys) as backend:
        await backend.store.record([a_turn()])
    async with open_sql(sqlite_url(file), cipher, keys) as backend:
        monkeypatch.setattr(SqliteDatabase, "read", read)
        for upto, threads in ((1, 1), (1, 1), (changes.FEW + 1, 2)):
            assert (await backend.changes.since("ann", 0, upto)).turns == [a_turn()]
            assert len(reads) == threads
        monkeypatch.setattr(changes, "LIGHT", 10)
        assert (await backend.changes.since("ann", 0, 1)).turns == [a_turn()]
        assert len(reads) == 3


async def test_a_glance_at_a_damaged_file_says_what_to_do(file: Path) -> None:
    keys, cipher = MemoryMasterKeys(), open_cipher("aes-gcm")
    async with open_sql(sqlite_url(file), cipher, keys) as backend:
        await backend.store.record([a_turn()])
    damaged(file, "users")
    async with open_sql(sqlite_url(file), cipher, keys) as backend:
        with pytest.raises(BackendError, match="put back a copy"):
            await backend.changes.stamp("ann")


@pytest.fixture
def shopping(tmp_path: Path) -> Generator[Path]:
    file = tmp_path / "shopping.txt"
    file.write_text("a litre of milk\n" * 100)
    yield file
    assert file.read_text() == "a litre of milk\n" * 100


async def test_what_is_no_database_is_refused_and_left_alone(shopping: Path) -> None:
    with pytest.raises(BackendError, match="not a database"):
        async with open_sql(sqlite_url(shopping), open_cipher("aes-gcm"), MemoryMasterKeys()):
            pass
