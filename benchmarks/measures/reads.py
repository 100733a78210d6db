"""Recall in one user's open shard, beside a plain scan of the same matrix."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.memory import load, open_memory
from benchmarks.synthetic import ScriptedEmbedder, Talk, talk
from benchmarks.timing import Spread, alternately, on_disk, resident
from memweaver.domain.scope import Scope

Work = Callable[[str], Awaitable[None]]

SCOPE = Scope("ann")
BEST = 10


@dataclass(frozen=True, slots=True)
class Loaded:
    memories: int
    per_second: float
    """Recorded, embedded (by the scripted embedder) and indexed."""
    disk_mb: float


@dataclass(frozen=True, slots=True)
class Reads:
    """`recall` is the whole of it but the model; `scan` only multiplies, `scan_best` also picks."""

    memories: int
    recall: Spread
    scan: Spread
    scan_best: Spread
    over_scan: float


async def fill(folder: Path, memories: int) -> Loaded:
    """Make the memory that the other measures open."""
    said = talk(memories, questions=0, seed=memories)
    began = perf_counter()
    async with open_memory(folder, ScriptedEmbedder()) as memory:
        await load(memory.services, [(SCOPE, said)], f"record {memories:,}")
    seconds = perf_counter() - began
    return Loaded(memories, round(memories / seconds), round(on_disk(folder), 1))


async def measure(folder: Path, memories: int, questions: int) -> Reads:
    given = talk(memories, questions, seed=memories)
    embedder = ScriptedEmbedder()
    async with open_memory(folder, embedder) as memory:

        async def recall(question: str) -> None:
            await memory.services.recall(SCOPE, question, limit=BEST)

        works = {"recall": recall, **scans(embedder, given)}
        found = await alternately(given.questions, works)
    return Reads(memories, **found, over_scan=found["recall"] / found["scan"])


async def held(folder: Path) -> float:
    """The megabytes by which opening the memory and its shard makes a fresh process grow."""
    before = resident()
    async with open_memory(folder, ScriptedEmbedder()) as memory:
        await memory.services.recall(SCOPE, "What did I say?")
        return round(resident() - before, 1)


def scans(embedder: ScriptedEmbedder, given: Talk) -> dict[str, Work]:
    """The least that an exact search must do, with the vector of the question at hand."""
    matrix = embedder.rows(given.texts)
    vectors = dict(zip(given.questions, embedder.rows(given.questions), strict=True))

    async def scan(question: str) -> None:
        matrix @ vectors[question]

    async def scan_best(question: str) -> None:
        np.argpartition(matrix @ vectors[question], -BEST)[-BEST:]

    return {"scan": scan, "scan_best": scan_best}
