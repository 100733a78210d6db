"""Durable records a second, from one and from many writers, beside the bare driver."""

import asyncio
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.memory import open_memory
from benchmarks.synthetic import ScriptedEmbedder, talk
from memweaver.adapters.sql import writer
from memweaver.domain.conversation import Said
from memweaver.domain.scope import Scope
from memweaver.services import Services

Row = tuple[Any, ...]

WRITERS = 32
ALONE = "the only writer"


@dataclass(frozen=True, slots=True)
class Writes:
    """Records a second; all are on disk before the caller hears of it."""

    records: int
    bare_driver: float
    one_writer: float
    one_commit_each: float
    many_writers: float
    many_writers_over_one_commit_each: float
    many_writers_over_bare_driver: float
    many_writers_over_one: float


async def measure(folder: Path, records: int, rounds: int) -> Writes:
    """The medians of the rounds, in each of which everybody writes in turn."""
    said = talk(records, questions=0, seed=1).said
    bare, one, each, many = [], [], [], []
    for turn in range(rounds):
        place = folder / str(turn)
        async with open_memory(place, ScriptedEmbedder()) as memory:
            many.append(records / await from_many(memory.services, said))
            one.append(records / await from_one(memory.services, said))
            with group_commit_off():
                each.append(records / await from_many(memory.services, said))
        bare.append(records / bare_driver(place / "memweaver.db", place / "bare.db"))
    return Writes(
        records,
        bare_driver=round(median(bare)),
        one_writer=round(median(one)),
        one_commit_each=round(median(each)),
        many_writers=round(median(many)),
        many_writers_over_one_commit_each=ratio(many, each),
        many_writers_over_bare_driver=ratio(many, bare),
        many_writers_over_one=ratio(many, one),
    )


def ratio(some: Sequence[float], others: Sequence[float]) -> float:
    """The median of the rounds' own ratios: a slow moment of the machine slows both sides."""
    return round(median(one / other for one, other in zip(some, others, strict=True)), 2)


@contextmanager
def group_commit_off() -> Generator[None]:
    """The same store, the same writers, the same records, but each in a commit of its own."""
    largest = writer.LARGEST_BATCH
    writer.LARGEST_BATCH = 1
    try:
        yield
    finally:
        writer.LARGEST_BATCH = largest


async def from_one(services: Services, said: Sequence[Said]) -> float:
    """The seconds it takes one writer, who waits for each record to be committed."""
    began = perf_counter()
    await write(services, ALONE, said)
    return perf_counter() - began


async def from_many(services: Services, said: Sequence[Said]) -> float:
    """The same number of records, each writer a user of their own."""
    began = perf_counter()
    async with asyncio.TaskGroup() as tasks:
        for number in range(WRITERS):
            tasks.create_task(write(services, f"writer {number}", said[number::WRITERS]))
    return perf_counter() - began


async def write(services: Services, user: str, said: Sequence[Said]) -> None:
    for one in said:
        await services.record(Scope(user), one)


def bare_driver(written: Path, file: Path) -> float:
    """The seconds it takes to write the very same rows again, one commit each, ready as they are.

    Nothing is left to do but what the database must: the counter of the user, the row, the commit.
    """
    tables, users, turns = contents(written)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        for statement in tables:
            connection.execute(statement)
        connection.executemany(insertion("users", users), users)
        insert = insertion("turns", turns)
        began = perf_counter()
        for row in turns:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("UPDATE users SET version = version + 1 WHERE owner = ?", row[:1])
            connection.execute(insert, row)
            connection.execute("COMMIT")
        return perf_counter() - began


def contents(file: Path) -> tuple[list[str], list[Row], list[Row]]:
    """How the tables and their indexes are made, the users, and the turns of the one writer."""
    with closing(sqlite3.connect(file)) as connection:
        made = connection.execute(
            "SELECT sql FROM sqlite_master WHERE tbl_name IN ('users', 'turns') AND sql IS NOT NULL"
        )
        tables = [statement for (statement,) in made]
        users = connection.execute("SELECT * FROM users").fetchall()
        turns = connection.execute("SELECT * FROM turns WHERE owner = ?", (ALONE,)).fetchall()
    return tables, users, turns


def insertion(table: str, rows: Sequence[Row]) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})"
