"""The one thread that writes to a SQLite file, and commits together whatever waits."""

import sqlite3
from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, RootTransaction

from memweaver import background
from memweaver.adapters.sql.errors import of_damage, translated
from memweaver.background import Answers, Awaited
from memweaver.errors import BackendError, BackendUnavailable, StorageFull

T = TypeVar("T")
LARGEST_BATCH = 256
"""Bounds how long the first of a batch waits for the last."""


@dataclass(frozen=True, slots=True)
class Job(Awaited[T]):
    work: Callable[[Connection], T]


class Writer:
    """Runs whatever waits in one transaction; one commit, then all of its batch are answered.

    If one of them fails, all are taken back and run again, each in a savepoint: failing is rare,
    and a savepoint costs as much as a statement. If what failed has met damage, SQLite writes
    nothing more in that transaction: then each is run in one of its own. So a work must be able
    to run several times.

    Works are handed over once in each round of an event loop: those whom a commit has answered
    and who come back at once are then in the next one together.
    """

    def __init__(self, engine: Engine, committed: Callable[[int], None]) -> None:
        """`committed` is told, in the writer's thread, of how many works a commit was."""
        self._connection = engine.connect()
        self._committed = committed
        self._gathering: dict[AbstractEventLoop, list[Job[Any]]] = {}
        self._waiting: SimpleQueue[list[Job[Any]] | None] = SimpleQueue()
        self._closing = Lock()
        self._closed = False
        self._thread = Thread(target=self._run, name="memweaver-writer", daemon=True)
        self._thread.start()

    async def write(self, work: Callable[[Connection], T]) -> T:
        loop = get_running_loop()
        future: Future[T] = loop.create_future()
        gathered = self._gathering.setdefault(loop, [])
        gathered.append(Job(loop, future, work))
        if len(gathered) == 1:
            loop.call_soon(self._hand_over, loop)
        return await future

    def close(self) -> None:
        """Finish what waits, then end the thread."""
        with self._closing:
            self._closed = True
            self._waiting.put(None)
        self._thread.join()

    def _hand_over(self, loop: AbstractEventLoop) -> None:
        jobs = self._gathering.pop(loop)
        with self._closing:
            if not self._closed:
                self._waiting.put(jobs)
                return
        for job in jobs:
            job.fail(BackendUnavailable("the store is closed"))

    def _run(self) -> None:
        with self._connection as connection:
            while jobs := self._all_waiting():
                for start in range(0, len(jobs), LARGEST_BATCH):
                    self._commit(connection, jobs[start : start + LARGEST_BATCH])

    def _all_waiting(self) -> Sequence[Job[Any]]:
        """Whatever waits, as soon as something does; nothing once the end has come."""
        gathered: list[Job[Any]] = []
        more = self._waiting.get()
        while more is not None:
            gathered += more
            try:
                more = self._waiting.get_nowait()
            except Empty:
                return gathered
        if gathered:
            self._waiting.put(None)
        return gathered

    def _commit(self, connection: Connection, given: Sequence[Job[Any]]) -> None:
        jobs = [job for job in given if not job.left]
        if not jobs:
            return
        try:
            answers = (
                self._together(connection, jobs)
                or self._apart(connection, jobs)
                or [alone(connection, job) for job in jobs]
            )
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever for this thread
            answers = [partial(job.fail, error) for job in jobs]
        background.tell(jobs, answers)
        self._committed(len(jobs))

    def _together(self, connection: Connection, jobs: Sequence[Job[Any]]) -> Answers | None:
        """Answers if all went well; otherwise nothing is kept."""
        with in_one(connection) as transaction:
            try:
                return [partial(job.answer, job.work(connection)) for job in jobs]
            except Exception:  # noqa: BLE001 - the works are run again apart, and then it is told
                transaction.rollback()
                return None

    def _apart(self, connection: Connection, jobs: Sequence[Job[Any]]) -> Answers | None:
        """Answers, unless one that met damage has spoilt it for all: then nothing is kept."""
        try:
            with in_one(connection):
                return [attempt(connection, job) for job in jobs]
        except BackendError as error:
            if not of_damage(error):
                raise
            return None


@contextmanager
def in_one(connection: Connection) -> Generator[RootTransaction]:
    """A transaction. What cannot be committed is taken back: SQLite may leave it open then."""
    try:
        with translated(), connection.begin() as transaction:
            yield transaction
    except BackendError:
        driver: Any = connection.connection.driver_connection
        with suppress(sqlite3.Error):
            driver.rollback()
        raise


def attempt(connection: Connection, job: Job[T]) -> Callable[[], None]:
    """Run one work; answer how to tell its outcome once the batch is committed."""
    driver: Any = connection.connection.driver_connection
    driver.execute("SAVEPOINT work")
    try:
        with translated():
            result = job.work(connection)
    except Exception as error:  # noqa: BLE001 - what a work raises is for who asked, not this thread
        undo(driver, error)
        return partial(job.fail, error)
    driver.execute("RELEASE work")
    return partial(job.answer, result)


def alone(connection: Connection, job: Job[T]) -> Callable[[], None]:
    """Run one work in a transaction of its own; answer how to tell its outcome."""
    try:
        with in_one(connection):
            result = job.work(connection)
    except Exception as error:  # noqa: BLE001 - as for those that are run apart
        return partial(job.fail, error)
    return partial(job.answer, result)


def undo(driver: sqlite3.Connection, error: Exception) -> None:
    """Take back one work; if SQLite has already taken back the whole batch, say so to all."""
    if not driver.in_transaction:
        raise error if isinstance(error, BackendError) else StorageFull(str(error))
    driver.execute("ROLLBACK TO work")
    driver.execute("RELEASE work")
