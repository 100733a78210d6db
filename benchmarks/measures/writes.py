"""Durable records a second, from one and from many writers, beside the bare driver."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.memory import open_memory
from benchmarks.synthetic import ScriptedEmbedder, talk
from memweaver.domain.conversation import Said
from memweaver.domain.scope import Scope
from memweaver.services import Services

WRITERS = 32


@dataclass(frozen=True, slots=True)
class Writes:
    """Records a second; all are on disk before the caller hears of it."""

    records: int
    bare_driver: float
    one_writer: float
    many_writers: float
    many_writers_over_bare_driver: float
    many_writers_over_one: float


async def measure(folder: Path, records: int, rounds: int) -> Writes:
    """The medians of the rounds, in each of which everybody writes in turn."""
    said = talk(records, questions=0, seed=1).said
    bare, one, many = [], [], []
    async with open_memory(folder / "ours", ScriptedEmbedder()) as memory:
        for turn in range(rounds):
            bare.append(records / bare_driver(folder / f"bare-{turn}.db", said))
            one.append(records / await from_one(memory.services, said))
            many.append(records / await from_many(memory.services, said))
    return Writes(
        records,
        bare_driver=round(median(bare)),
        one_writer=round(median(one)),
        many_writers=round(median(many)),
        many_writers_over_bare_driver=round(median(many) / median(bare), 2),
        many_writers_over_one=round(median(many) / median(one), 2),
    )


def bare_driver(file: Path, said: Sequence[Said]) -> float:
    """The seconds it takes to insert and commit one row after the other, in clear."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE turns (id INTEGER PRIMARY KEY, body TEXT)")
        began = perf_counter()
        for one in said:
            connection.execute("INSERT INTO turns (body) VALUES (?)", (one.messages[0].text,))
        return perf_counter() - began


async def from_one(services: Services, said: Sequence[Said]) -> float:
    began = perf_counter()
    await write(services, "writer", said)
    return perf_counter() - began


async def from_many(services: Services, said: Sequence[Said]) -> float:
    """The same number of records, each writer a user of their own."""
    began = perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for writer in range(WRITERS):
            tasks.create_task(write(services, f"writer {writer}", said[writer::WRITERS]))
    return perf_counter() - began


async def write(services: Services, user: str, said: Sequence[Said]) -> None:
    for one in said:
        await services.record(Scope(user), one)
