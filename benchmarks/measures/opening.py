"""Opening a cold shard, beside reading its bytes and beside building it from the text."""

import sqlite3
from collections.abc import Awaitable, Callable, Collection, Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.measures.reads import SCOPE
from benchmarks.memory import Opened, open_memory
from benchmarks.synthetic import ScriptedEmbedder
from benchmarks.timing import Spread, alternately
from memweaver.domain.search import Ref
from memweaver.ports.changes import Changes, Delta, Segment, Stamp

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
    async with open_memory(folder, ScriptedEmbedder()) as memory:
        with bare_reader(folder / DATABASE) as (bare_read, size):
            works = {"cold": opener(memory), "bare_read": bare_read}
            found = await alternately(range(times), works)
        found |= await alternately(
            range(FROM_TEXT_TIMES), {"from_text": opener(unprepared(memory))}
        )
    return Opening(
        memories,
        megabytes=round(size / 1e6, 1),
        **found,
        over_bare_read=found["cold"] / found["bare_read"],
        faster_than_from_text=found["from_text"] / found["cold"],
    )


def opener(memory: Opened) -> Callable[[int], Awaitable[object]]:
    """Opens the shard in an index that never saw it."""

    async def opened(_: int) -> object:
        return await memory.fresh_index().open(SCOPE)

    return opened


@contextmanager
def bare_reader(file: Path) -> Generator[tuple[Callable[[int], Awaitable[object]], int]]:
    """Reads what the shard is opened from with the bare driver; and how many bytes that is."""
    with closing(sqlite3.connect(file)) as connection:

        def bodies() -> list[tuple[bytes]]:
            return connection.execute(
                "SELECT body FROM segments WHERE owner = ? ORDER BY after", (SCOPE.user,)
            ).fetchall()

        async def read(_: int) -> object:
            return bodies()

        yield read, sum(len(body) for (body,) in bodies())


def unprepared(memory: Opened) -> Opened:
    """The same memory as if no index had ever prepared anything."""
    return replace(
        memory, backend=replace(memory.backend, changes=Unprepared(memory.backend.changes))
    )


class Unprepared(Changes):
    """Tells the records of another, but no segments, and keeps none."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes

    async def stamp(self, user: str) -> Stamp | None:
        return await self._changes.stamp(user)

    async def since(self, user: str, after: int, upto: int) -> Delta:
        return await self._changes.since(user, after, upto)

    async def records(self, user: str, refs: Collection[Ref]) -> Delta:
        return await self._changes.records(user, refs)

    async def index_key(self, user: str) -> bytes | None:
        return await self._changes.index_key(user)

    async def segments(self, user: str) -> Sequence[Segment]:
        return []

    async def keep_segment(self, user: str, seen: Stamp, segment: Segment) -> bool:
        return False
