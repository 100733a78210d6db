"""SQLite's write-ahead log, moved into the file beside the writer.

Left to SQLite, the writer itself stops for it once in a thousand pages, and whoever waits for
that one commit waits ten times as long as all others.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, suppress

from sqlalchemy import Engine

from memweaver.adapters.sql.errors import translated
from memweaver.errors import BackendError

EVERY = 64
"""Works after which the log is moved: about as many pages as SQLite would let it grow to."""
LONGEST = 8_000
"""Pages after which the writer moves it itself: only in its pause can the log begin anew."""
PATIENCE = 200
"""Milliseconds that writers are held up at most while the log is being emptied."""


class Log:
    def __init__(self, writers: Engine) -> None:
        self._writers = writers
        self._thread = ThreadPoolExecutor(1, "memweaver-log")
        self._moving: Future[None] | None = None
        self._works = 0

    def grown(self, works: int) -> None:
        """Say, from the writer's thread alone, that so many works were committed."""
        self._works += works
        if self._works >= EVERY and (self._moving is None or self._moving.done()):
            self._works = 0
            self._moving = self._thread.submit(self._checkpoint, "PASSIVE")

    def empty(self) -> Future[None]:
        """Overwrite in the file what was deleted, and leave nothing of it in the log.

        As far as nobody reads an older state at this moment; else a later one does it. What was
        deleted is deleted either way, so this never fails.
        """
        return self._thread.submit(self._checkpoint, "TRUNCATE")

    def close(self) -> None:
        self._thread.shutdown()

    def _checkpoint(self, mode: str) -> None:
        opened = closing(self._writers.raw_connection())
        with suppress(BackendError), translated(), opened as connection:
            cursor = connection.cursor()
            cursor.execute(f"PRAGMA busy_timeout = {PATIENCE}")
            cursor.execute(f"PRAGMA wal_checkpoint({mode})")
