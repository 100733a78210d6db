"""The one connection that writes to a SQLite file, and commits together whatever waits."""

import sqlite3
from asyncio import AbstractEventLoop, Future, get_running_loop
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, RootTransaction, exc

from memweaver import background
from memweaver.adapters.sql.errors import codes_of, of_damage, translated
from memweaver.adapters.sql.prepared import driver_of
from memweaver.background import Answers, Awaited
from memweaver.errors import BackendError, BackendUnavailable, StorageFull

T = TypeVar("T")

LARGEST_BATCH = 256
"""Bounds how long the first of a batch waits for the last."""
FEW = 8
"""Quick works that are run on an event loop in one go: more would hold it up."""
PATIENCE = 30
"""Seconds to wait for another process that writes to the same file."""


@dataclass(frozen=True, slots=True)
class Job(Awaited[T]):
    """`quick` is a work of few statements about little."""

    work: Callable[[Connection], T]
    quick: bool = False


@dataclass(frozen=True, slots=True)
class Begun:
    """A transaction in which these works were run already; it only waits for its commit."""

    transaction: RootTransaction
    jobs: Sequence[Job[Any]]
    answers: Answers


@dataclass(frozen=True, slots=True)
class Batch:
    jobs: list[Job[Any]]
    begun: Begun | None = None


class Writer:
    """Runs whatever waits in one transaction; one commit, then all of its batch are answered.

    If one of them fails, all are taken back and run again, each in a savepoint: failing is rare,
    and a savepoint costs as much as a statement. If what failed has met damage, SQLite writes
    nothing more in that transaction: then each is run in one of its own. So a work must be able
    to run several times.

    Works are handed over once in each round of an event loop: those whom a commit has answered
    and who come back at once are then in the next one together. A thread runs them, or commits
    what was run already: while it rests, quick works are run by the loop itself. They take less
    than a thread, which asks for the interpreter around each statement and holds up those served.
    """

    def __init__(self, engine: Engine, committed: Callable[[int], None]) -> None:
        """`committed` is told, in the writer's thread, of how many works a commit was."""
        self._connection = engine.connect()
        patience(self._connection, 0)
        self._committed = committed
        self._gathering: dict[AbstractEventLoop, list[Job[Any]]] = {}
        self._waiting: SimpleQueue[Batch | None] = SimpleQueue()
        self._handing = Lock()
        self._under_way = 0
        """Works handed over and not through; meanwhile the connection is the thread's."""
        self._closed = False
        self._thread = Thread(target=self._run, name="memweaver-writer", daemon=True)
        self._thread.start()

    async def write(self, work: Callable[[Connection], T], *, quick: bool = False) -> T:
        loop = get_running_loop()
        future: Future[T] = loop.create_future()
        gathered = self._gathering.setdefault(loop, [])
        gathered.append(Job(loop, future, work, quick))
        if len(gathered) == 1:
            loop.call_soon(self._hand_over, loop)
        return await future

    def close(self) -> None:
        """Finish what waits, then end the thread."""
        with self._handing:
            self._closed = True
            self._waiting.put(None)
        self._thread.join()

    def _hand_over(self, loop: AbstractEventLoop) -> None:
        jobs = self._gathering.pop(loop)
        with self._handing:
            if not self._closed:
                begun = None if self._under_way else self._begun(jobs)
                self._under_way += len(jobs)
                self._waiting.put(Batch(jobs, begun))
                return
        for job in jobs:
            job.fail(BackendUnavailable("the store is closed"))

    def _begun(self, given: Sequence[Job[Any]]) -> Begun | None:
        """These works run, if they are quick and all goes well; otherwise nothing is done."""
        jobs = [job for job in given if not job.left]
        if not 0 < len(jobs) <= FEW or not all(job.quick for job in jobs):
            return None
        try:
            transaction = self._connection.begin()
            answers = [partial(job.answer, job.work(self._connection)) for job in jobs]
        except BaseException as error:
            take_back(self._connection)
            if not isinstance(error, Exception):
                raise
            return None  # the thread runs them again, and then it is told
        return Begun(transaction, jobs, answers)

    def _run(self) -> None:
        with self._connection as connection:
            while batch := self._waiting.get():
                if batch.begun:
                    self._end(batch.begun, len(batch.jobs))
                    continue
                jobs = self._with_others(batch.jobs)
                for start in range(0, len(jobs), LARGEST_BATCH):
                    self._commit(connection, jobs[start : start + LARGEST_BATCH])

    def _with_others(self, jobs: list[Job[Any]]) -> Sequence[Job[Any]]:
        """With whatever else waits: nothing of it is begun, as these are under way."""
        with suppress(Empty):
            while batch := self._waiting.get_nowait():
                jobs += batch.jobs
            self._waiting.put(None)
        return jobs

    def _end(self, begun: Begun, through: int) -> None:
        answers = begun.answers
        try:
            with taking_back(self._connection):
                begun.transaction.commit()
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever for this thread
            answers = [partial(job.fail, error) for job in begun.jobs]
        self._tell(begun.jobs, answers, through)

    def _commit(self, connection: Connection, given: Sequence[Job[Any]]) -> None:
        jobs = [job for job in given if not job.left]
        answers: Answers = []
        try:
            if jobs:
                answers = (
                    self._together(connection, jobs)
                    or self._apart(connection, jobs)
                    or [alone(connection, job) for job in jobs]
                )
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever for this thread
            answers = [partial(job.fail, error) for job in jobs]
        self._tell(jobs, answers, len(given))

    def _tell(self, jobs: Sequence[Job[Any]], answers: Answers, through: int) -> None:
        """The connection is free before anybody is told: they may come back at once."""
        with self._handing:
            self._under_way -= through
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
    """A transaction, once no other process writes."""
    with taking_back(connection), beginning(connection) as transaction:
        yield transaction


@contextmanager
def taking_back(connection: Connection) -> Generator[None]:
    """What cannot be committed is taken back: SQLite may leave it open then."""
    try:
        with translated():
            yield
    except BaseException:
        take_back(connection)
        raise


def take_back(connection: Connection) -> None:
    """End whatever transaction there is, for SQLAlchemy and for SQLite."""
    with suppress(sqlite3.Error, exc.SQLAlchemyError):
        connection.rollback()
    with suppress(sqlite3.Error):
        driver_of(connection).rollback()


def beginning(connection: Connection) -> RootTransaction:
    """Begin, if need be once another process has ended; on an event loop nobody waits for that."""
    try:
        return connection.begin()
    except sqlite3.OperationalError as error:
        if sqlite3.SQLITE_BUSY not in codes_of(error):
            raise
    patience(connection, PATIENCE)
    try:
        return connection.begin()
    finally:
        patience(connection, 0)


def patience(connection: Connection, seconds: int) -> None:
    driver_of(connection).execute(f"PRAGMA busy_timeout = {1000 * seconds}")


def attempt(connection: Connection, job: Job[T]) -> Callable[[], None]:
    """Run one work; answer how to tell its outcome once the batch is committed."""
    driver = driver_of(connection)
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
