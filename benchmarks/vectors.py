"""Vectors for the baselines, made by the same embedder and kept between runs."""

import hashlib
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from benchmarks.baselines import Array
from benchmarks.tables import progress
from memweaver.ports.models import Embedder

BATCH = 64
"""Texts embedded between two commits to the cache."""


class CachedVectors:
    """What an embedder answers, asked once for each text."""

    def __init__(self, embedder: Embedder, connection: sqlite3.Connection) -> None:
        self._embedder = embedder
        self._connection = connection
        connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors"
            " (model TEXT, text BLOB, vector BLOB, PRIMARY KEY (model, text))"
        )

    async def of(self, texts: Sequence[str], title: str) -> Array:
        """One row for each text, in order."""
        await self._fill(texts, title)
        rows = [np.frombuffer(self._kept(text) or b"", np.float32) for text in texts]
        return np.stack(rows)

    async def _fill(self, texts: Sequence[str], title: str) -> None:
        # By length, so that a batch is not padded to its longest text.
        missing = sorted({text for text in texts if self._kept(text) is None}, key=len)
        with progress() as bar:
            task = bar.add_task(title, total=len(missing), visible=bool(missing))
            for start in range(0, len(missing), BATCH):
                batch = missing[start : start + BATCH]
                self._keep(batch, await self._embedder.embed(batch))
                bar.advance(task, len(batch))

    def _kept(self, text: str) -> bytes | None:
        found = self._connection.execute(
            "SELECT vector FROM vectors WHERE model = ? AND text = ?",
            (self._embedder.model, digest(text)),
        ).fetchone()
        return found[0] if found else None

    def _keep(self, texts: Sequence[str], vectors: Sequence[bytes]) -> None:
        rows = [
            (self._embedder.model, digest(text), vector)
            for text, vector in zip(texts, vectors, strict=True)
        ]
        with self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)


def digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


@contextmanager
def cached(embedder: Embedder, file: Path) -> Generator[CachedVectors]:
    file.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(file)) as connection:
        yield CachedVectors(embedder, connection)
