"""Durable accepts a second with many writers, beside the same with a commit for each."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.measures.writes import group_commit_off, ratio, write
from benchmarks.memory import open_memory
from benchmarks.synthetic import ScriptedEmbedder, talk
from memweaver.domain.conversation import Said
from memweaver.services import Services

WRITERS = 64


@dataclass(frozen=True, slots=True)
class Crowd:
    """Turns a second, each with its job and on disk before the writer hears of it."""

    writers: int
    per_second: float
    one_commit_each: float
    over_one_commit_each: float


async def measure(folder: Path, records: int, rounds: int) -> Crowd:
    """The medians of the rounds, in each of which both take their turn."""
    said = talk(records, questions=0, seed=1).said
    together, each = [], []
    for turn in range(rounds):
        async with open_memory(folder / str(turn), ScriptedEmbedder()) as memory:
            together.append(records / await written(memory.services, said))
            with group_commit_off():
                each.append(records / await written(memory.services, said))
    return Crowd(WRITERS, round(median(together)), round(median(each)), ratio(together, each))


async def written(services: Services, said: Sequence[Said]) -> float:
    """The seconds it takes the writers, each a user of their own, to record all that was said."""
    began = perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for number in range(WRITERS):
            tasks.create_task(write(services, f"writer {number}", said[number::WRITERS]))
    return perf_counter() - began
