"""Accepting a turn over HTTP while everything else is down, beside a bare durable commit."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.chaos.api import Api, running, secrets_of
from benchmarks.chaos.house import Mind, open_house
from benchmarks.chaos.storm import settings_for
from benchmarks.synthetic import talk
from benchmarks.wire import Wire, wired
from memweaver.adapters.sql.sqlite import PRAGMAS
from memweaver.domain.conversation import Said

RATE = 100
"""Turns a second."""
SIDE_BY_SIDE = 16
"""Connections kept open to the server."""


@dataclass(frozen=True, slots=True)
class Accepting:
    """Milliseconds from when a turn was due to be sent to its acknowledgement."""

    turns: int
    p50: float
    p99: float
    bare_commit_p50: float
    bare_commit_p99: float
    p99_over_bare_commit: float


async def measure(folder: Path, rounds: int, seconds: int, *, embedding: bool = False) -> Accepting:
    """Rounds of turns at a fixed rate, each followed by as many bare commits at the same rate.

    If `embedding`, the model for that is not down like all others, but at work on this machine.
    """
    said = talk(RATE * seconds, questions=0, seed=1).said
    async with open_house(settings_for(folder), Mind()) as house:
        secrets = await secrets_of(house.services)
    accepted: list[float] = []
    committed: list[float] = []
    with (
        running(Api(folder, embedding=embedding)) as api,
        closing(bare(folder / "bare.db")) as commits,
    ):
        for number in range(rounds + 1):
            async with wired(api.port, SIDE_BY_SIDE) as wire:  # idle ones the server hangs up
                times = await paced(said, acceptance(wire, [*secrets.values()]))
            accepted += times if number else []  # in the first round its code becomes warm
            committed += await paced(said, commitment(commits))
    return summed_up(accepted, committed)


async def paced(said: Sequence[Said], send: Callable[[Said, int], Awaitable[None]]) -> list[float]:
    """The seconds each took, sent at a fixed rate whether or not those before are through.

    From when it is to be sent: who waits for those before waits too.
    """
    times: list[float] = []
    began = perf_counter()

    async def one(number: int) -> None:
        await asyncio.sleep(began + number / RATE - perf_counter())
        due = perf_counter()
        await send(said[number], number)
        times.append(perf_counter() - due)

    async with asyncio.TaskGroup() as tasks:
        for number in range(len(said)):
            tasks.create_task(one(number))
    return times


def acceptance(wire: Wire, secrets: Sequence[str]) -> Callable[[Said, int], Awaitable[None]]:
    async def accept(said: Said, number: int) -> None:
        await wire.post(
            "/v1/turns",
            {"Authorization": f"Bearer {secrets[number % len(secrets)]}"},
            {"messages": [{"role": it.role, "text": it.text} for it in said.messages]},
        )

    return accept


def bare(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    for name, value in PRAGMAS.items():
        connection.execute(f"PRAGMA {name} = {value}")
    connection.execute("CREATE TABLE turns (id INTEGER PRIMARY KEY, body TEXT)")
    return connection


def commitment(connection: sqlite3.Connection) -> Callable[[Said, int], Awaitable[None]]:
    """One row, one commit."""
    alone = asyncio.Lock()

    def insert(text: str) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO turns (body) VALUES (?)", (text,))
        connection.execute("COMMIT")

    async def commit(said: Said, _: int) -> None:
        async with alone:
            await asyncio.to_thread(insert, said.messages[0].text)

    return commit


def summed_up(accepted: Sequence[float], committed: Sequence[float]) -> Accepting:
    p50, p99 = (float(value) * 1000 for value in np.percentile(accepted, [50, 99]))
    bare_p50, bare_p99 = (float(value) * 1000 for value in np.percentile(committed, [50, 99]))
    return Accepting(
        turns=len(accepted),
        p50=round(p50, 3),
        p99=round(p99, 3),
        bare_commit_p50=round(bare_p50, 3),
        bare_commit_p99=round(bare_p99, 3),
        p99_over_bare_commit=round(p99 / bare_p99, 2),
    )
