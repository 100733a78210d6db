"""Opening a cold shard, beside reading its bytes and beside building it from the text."""

import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measures.reads import SCOPE
from benchmarks.memory import Opened, open_memory
from benchmarks.synthetic import ScriptedEmbedder
from benchmarks.timing import Spread, alternately

DATABASE = "memweaver.db"
FROM_TEXT_TIMES = 3
"""How often a shard is built from the text, which takes long."""


@dataclass(frozen=True, slots=True)
class Opening:
    """`cold` decrypts and makes ready to search; `bare_read` only reads the same bytes."""

    memories: int
    megabytes: float
    cold: Spread
    bare_read: Spread
    from_text: Spread
    over_bare_read: float
    faster_than_from_text: float


async def measure(folder: Path, memories: int, times: int) -> Opening:
    embedder = ScriptedEmbedder()
    async with open_memory(folder, embedder) as memory:
        with bare_reader(folder / DATABASE) as read:

            async def bare_read(_: int) -> None:
                read()

            works = {"cold": opener(memory), "bare_read": bare_read}
            found = await alternately(range(times), works)
            size = read()
    without = without_segments(folder)
    async with open_memory(without, embedder) as memory:
        found |= await alternately(range(FROM_TEXT_TIMES), {"from_text": opener(memory)})
    return Opening(
        memories,
        megabytes=round(size / 1e6, 1),
        **found,
        over_bare_read=found["cold"] / found["bare_read"],
        faster_than_from_text=found["from_text"] / found["cold"],
    )


def opener(memory: Opened) -> Callable[[int], Awaitable[None]]:
    """Open the shard in an index that never saw it, as far as a first search."""

    async def opened(_: int) -> None:
        await memory.fresh_index().open(SCOPE)

    return opened


@contextmanager
def bare_reader(file: Path) -> Generator[Callable[[], int]]:
    """Reads what the shard is opened from, with the bare driver; how many bytes that were."""
    with closing(sqlite3.connect(file)) as connection:

        def read() -> int:
            rows = connection.execute(
                "SELECT body FROM segments WHERE owner = ? ORDER BY after", (SCOPE.user,)
            )
            return sum(len(body) for (body,) in rows)

        yield read


def without_segments(folder: Path) -> Path:
    """A copy of the memory in which nothing is prepared: all must come from the records."""
    copy = folder.with_name(f"{folder.name}-without-segments")
    shutil.copytree(folder, copy)
    with closing(sqlite3.connect(copy / DATABASE)) as connection, connection:
        connection.execute("DELETE FROM segments")
    return copy
