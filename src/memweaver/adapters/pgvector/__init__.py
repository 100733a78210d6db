"""The second index, in Postgres with pgvector: for the very large. Its vectors are not sealed."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Literal

from memweaver.adapters.pgvector.words import Words
from memweaver.errors import ConfigurationError
from memweaver.ports.changes import Changes
from memweaver.ports.index import Index

EXACT_BELOW = 10_000
"""Rows of one user up to which looking at all of them is quick, and finds more than an index."""


@asynccontextmanager
async def open_pgvector(
    url: str,
    changes: Changes,
    model: str,
    dimensions: int,
    *,
    method: Literal["exact", "ivfflat", "hnsw"],
    words: Words,
    pool: int = 8,
    migrate: bool = True,
    exact_below: int = EXACT_BELOW,
) -> AsyncGenerator[Index]:
    """Open the index in the Postgres database at `url`, and close it in the end.

    `model` made the vectors it searches by, `method` is exact, ivfflat or hnsw.

    Raises:
        ConfigurationError: no pgvector, here or on the server, or vectors too long for `method`.
        SchemaMismatch: the schema is newer than this program; or it is older, or made for vectors
            of another length, and `migrate` is off.
        BackendUnavailable: nothing answers there.
    """
    try:
        from memweaver.adapters.pgvector.opening import open_index  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigurationError(
            "the pgvector index needs its drivers: pip install 'memweaver[postgres]'"
        ) from error
    async with open_index(
        url,
        changes,
        model,
        dimensions,
        method=method,
        words=words,
        pool=pool,
        migrate=migrate,
        exact_below=exact_below,
    ) as index:
        yield index
