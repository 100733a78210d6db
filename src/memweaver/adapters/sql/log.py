"""SQLite's write-ahead log, moved into the file beside the writer.

Left to SQLite, the writer itself stops for it once in a thousand pages, and whoever waits for
that one commit waits ten times as long as all others.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress
from threading import Timer
from time import monotonic

from sqlalchemy import Engine

from memweaver.adapters.sql.errors import translated
from memweaver.errors import BackendError

EVERY = 64
"""Works after which the log is moved: about as many pages as SQLite would let it grow to."""
SELDOM = 0.5
"""Seconds at least between two times: many writers at once would else share the disk with it."""
LONGEST = 8_000
"""Pages after which the writer moves it itself: only in its pause can the log begin anew."""
PATIENCE = 200
"""Milliseconds that writers are held up at most while the log is being emptied."""
AGAIN = 1.0
"""Seconds before that is tried again while somebody reads an older state."""


class Log:
    def __init__(self, writers: Engine) -> None:
        self._writers = writers
        self._thread = ThreadPoolExecutor(1, "memweaver-log")
        self._moving: Future[None] | None = None
        self._owed: Timer | None = None
        self._works = 0
        self._moved_at = 0.0

    def grown(self, works: int) -> None:
        """Say, from the writer's thread alone, that so many works were committed."""
        self._works += works
        if self._works < EVERY or monotonic() - self._moved_at < SELDOM:
            return
        if self._moving is None or self._moving.done():
            self._works, self._moved_at = 0, monotonic()
            self._moving = self._thread.submit(self._move)

    def empty(self) -> Future[None]:
        """Overwrite in the file what was deleted, and leave nothing of it in the log.

        As far as nobody reads an older state at this moment; else it is done as soon as they have
        left. What was deleted is deleted either way, so this never fails.
        """
        return self._thread.submit(self._empty, PATIENCE)

    def close(self) -> None:
        if self._owed:
            self._owed.cancel()
        self._thread.shutdown()

    def _move(self) -> None:
        self._checkpoint("PASSIVE", PATIENCE)

    def _empty(self, patience: int) -> None:
        if not self._checkpoint("TRUNCATE", patience):
            self._owed = Timer(AGAIN, self._empty_again)
            self._owed.daemon = True
            self._owed.start()

    def _empty_again(self) -> None:
        with suppress(RuntimeError):  # closed meanwhile: who opens the file next moves the log
            self._thread.submit(self._empty, 0)

    def _checkpoint(self, mode: str, patience: int) -> bool:
        """Whether it could be done whole."""
        with (
            suppress(BackendError),
            translated(),
            closing(self._writers.raw_connection()) as connection,
        ):
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout = {patience}")
            busy, *_ = cursor.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()
            return not busy
        return False
