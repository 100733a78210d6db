"""The one thread that writes to a SQLite file, and commits together whatever waits."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Generic, TypeVar, cast

from sqlalchemy import Connection, Engine

from memweaver.adapters.sql.errors import translated
from memweaver.errors import BackendError, StorageFull

T = TypeVar("T")

LARGEST_BATCH = 256
"""Bounds how long the first of a batch waits for the last."""


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    work: Callable[[Connection], T]
    future: Future[T]


class Writer:
    """Runs each work in a savepoint; one commit, then all of its batch are answered."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: SimpleQueue[Job[Any] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="memweaver-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Callable[[Connection], T]) -> Future[T]:
        job = Job(work, Future[T]())
        self._waiting.put(job)
        return job.future

    def close(self) -> None:
        """Finish what waits, then end the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        with self._engine.connect() as connection:
            while (first := self._waiting.get()) is not None:
                self._commit(connection, self._with_others(first))

    def _with_others(self, first: Job[Any]) -> list[Job[Any]]:
        jobs = [first]
        while len(jobs) < LARGEST_BATCH:
            try:
                job = self._waiting.get_nowait()
            except Empty:
                break
            if job is None:
                self._waiting.put(None)
                break
            jobs.append(job)
        return [job for job in jobs if job.future.set_running_or_notify_cancel()]

    def _commit(self, connection: Connection, jobs: list[Job[Any]]) -> None:
        try:
            with translated(), connection.begin():
                answers = [attempt(connection, job) for job in jobs]
        except BackendError as error:
            for job in jobs:
                job.future.set_exception(error)
        else:
            for answer in answers:
                answer()


def attempt(connection: Connection, job: Job[T]) -> Callable[[], None]:
    """Run one work; answer how to tell its outcome once the batch is committed."""
    connection.exec_driver_sql("SAVEPOINT work")
    try:
        with translated():
            result = job.work(connection)
    except Exception as error:  # noqa: BLE001 - what a work raises is for who asked, not this thread
        undo(connection, error)
        failure = error
        return lambda: job.future.set_exception(failure)
    connection.exec_driver_sql("RELEASE work")
    return lambda: job.future.set_result(result)


def undo(connection: Connection, error: Exception) -> None:
    """Take back one work; if SQLite has already taken back the whole batch, say so to all."""
    if not cast("Any", connection.connection.dbapi_connection).in_transaction:
        raise error if isinstance(error, BackendError) else StorageFull(str(error))
    connection.exec_driver_sql("ROLLBACK TO work")
    connection.exec_driver_sql("RELEASE work")
