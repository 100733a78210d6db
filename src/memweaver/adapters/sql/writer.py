"""The one thread that writes to a SQLite file, and commits together whatever waits."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, Engine

from memweaver.adapters.sql.errors import translated
from memweaver.errors import BackendError, StorageFull

T = TypeVar("T")

LARGEST_BATCH = 256
"""Bounds how long the first of a batch waits for the last."""

PATIENCE = 0.002
"""Seconds, about one commit: who was just answered has that long to come back with the next."""


@dataclass(frozen=True, slots=True)
class Job(Generic[T]):
    work: Callable[[Connection], T]
    future: Future[T]


class Writer:
    """Runs each work in a savepoint; one commit, then all of its batch are answered."""

    def __init__(self, engine: Engine) -> None:
        self._connection = engine.connect()
        self._crowd = 1
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
        with self._connection as connection:
            while (first := self._waiting.get()) is not None:
                self._commit(connection, self._with_others(first))

    def _with_others(self, first: Job[Any]) -> list[Job[Any]]:
        """Whatever waits now, and for a moment those who were there at the last commit."""
        jobs = [first]
        until = monotonic() + PATIENCE
        while len(jobs) < LARGEST_BATCH:
            left = until - monotonic() if len(jobs) < self._crowd else 0
            try:
                job = self._waiting.get(block=left > 0, timeout=max(left, 0))
            except Empty:
                break
            if job is None:
                self._waiting.put(None)
                break
            jobs.append(job)
        self._crowd = len(jobs)
        return [job for job in jobs if job.future.set_running_or_notify_cancel()]

    def _commit(self, connection: Connection, jobs: list[Job[Any]]) -> None:
        try:
            with translated(), connection.begin():
                answers = [attempt(connection, job) for job in jobs]
        except Exception as error:  # noqa: BLE001 - nobody may wait for ever for this thread
            for job in jobs:
                job.future.set_exception(error)
        else:
            for answer in answers:
                answer()


def attempt(connection: Connection, job: Job[T]) -> Callable[[], None]:
    """Run one work; answer how to tell its outcome once the batch is committed."""
    driver: Any = connection.connection.driver_connection
    driver.execute("SAVEPOINT work")
    try:
        with translated():
            result = job.work(connection)
    except Exception as error:  # noqa: BLE001 - what a work raises is for who asked, not this thread
        undo(driver, error)
        failure = error
        return lambda: job.future.set_exception(failure)
    driver.execute("RELEASE work")
    return lambda: job.future.set_result(result)


def undo(driver: sqlite3.Connection, error: Exception) -> None:
    """Take back one work; if SQLite has already taken back the whole batch, say so to all."""
    if not driver.in_transaction:
        raise error if isinstance(error, BackendError) else StorageFull(str(error))
    driver.execute("ROLLBACK TO work")
    driver.execute("RELEASE work")
