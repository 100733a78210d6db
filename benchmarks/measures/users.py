"""Recall among many users, more than have room in memory at once."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.measures.reads import BEST, Loaded, scans
from benchmarks.memory import load, open_memory
from benchmarks.synthetic import ScriptedEmbedder, Talk, talk
from benchmarks.timing import Spread, alternately, on_disk, resident
from memweaver.domain.scope import Scope
from memweaver.services import Services

KINDS = 10
"""Users differ in what they said; so many different talks are enough for that."""


@dataclass(frozen=True, slots=True)
class Users:
    """`as_it_comes` asks a user picked by lot, open or not; `again` asks the same one once more."""

    users: int
    memories_each: int
    as_it_comes: Spread
    again: Spread
    scan: Spread
    again_over_scan: float
    resident_mb: float


def scope(user: int) -> Scope:
    return Scope(f"user {user}")


async def fill(folder: Path, users: int, each: int) -> Loaded:
    """Make the memory that is measured."""
    talks = [talk(each, questions=0, seed=kind) for kind in range(KINDS)]
    began = perf_counter()
    async with open_memory(folder, ScriptedEmbedder()) as memory:
        everybody = [(scope(user), talks[user % KINDS]) for user in range(users)]
        await load(memory.services, everybody, f"record {users:,} users with {each} each")
    seconds = perf_counter() - began
    return Loaded(users * each, round(users * each / seconds), round(on_disk(folder), 1))


async def measure(folder: Path, users: int, each: int) -> Users:
    """Ask long enough that shards have to make room for others."""
    talks = [talk(each, questions=each, seed=kind) for kind in range(KINDS)]
    embedder = ScriptedEmbedder()
    before = resident()
    async with open_memory(folder, embedder) as memory:
        asked = np.random.default_rng(3).integers(users, size=2 * users).tolist()
        works = contestants(memory.services, embedder, talks)
        found = await alternately([(user, place % each) for place, user in enumerate(asked)], works)
        grown = resident() - before
    return Users(
        users,
        each,
        **found,
        again_over_scan=found["again"] / found["scan"],
        resident_mb=round(grown, 1),
    )


def contestants(
    services: Services, embedder: ScriptedEmbedder, talks: Sequence[Talk]
) -> dict[str, Callable[[tuple[int, int]], Awaitable[None]]]:
    """Each is given a user and the number of a question."""
    plain = [scans(embedder, one)["scan"] for one in talks]

    async def ask(case: tuple[int, int]) -> None:
        user, place = case
        question = talks[user % KINDS].questions[place]
        await services.recall(scope(user), question, limit=BEST)

    async def scan(case: tuple[int, int]) -> None:
        user, place = case
        await plain[user % KINDS](talks[user % KINDS].questions[place])

    return {"as_it_comes": ask, "again": ask, "scan": scan}
