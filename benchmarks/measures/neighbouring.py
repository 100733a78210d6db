"""What somebody quiet notices of a neighbour who is noisy, and of a thousand who dawdle."""

import asyncio
import json
import multiprocessing
import os
from asyncio import StreamReader, StreamWriter
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.memory import fresh, load, open_memory
from benchmarks.serving import Served, served
from benchmarks.synthetic import talk
from benchmarks.wire import Wire, length_of, request, wired
from memweaver.app.opening import open_embedder
from memweaver.app.settings import Settings
from memweaver.domain.scope import Scope

QUIET, ORDINARY, NOISY, ELSEWHERE = "quiet", "ordinary", "noisy", "elsewhere"
RATE = 8
"""Requests a second of the quiet one: recalls and records in turn."""
TIMES = 50
"""So many times as many the noisy one sends, over as many connections."""
SIDE_BY_SIDE = 8
DRIP = 1.0
"""Seconds between two letters of a header that never ends."""
QUESTIONS = 40_000
"""More than will be asked."""

GATHERING = 3.0
"""Seconds that a thousand take to come; it is what they do once they are there that counts."""

LAST = 19
"""The niceness of the neighbour's program."""

Bother = Callable[[int, float], Counter[str]]
"""Given a port and seconds, what came of bothering the server there for so long."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Begins `ahead` seconds before the quiet one; bothers another server if there is a `port`."""

    bother: Bother
    ahead: float = 0.0
    port: int | None = None


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds each request took, from when it was due."""

    recall: list[float] = field(default_factory=list[float])
    record: list[float] = field(default_factory=list[float])


@dataclass(frozen=True, slots=True)
class Beside:
    """The quiet one's milliseconds alone and beside a neighbour, who was answered `answers`."""

    requests: int
    recall_alone_p50: float
    recall_alone_p99: float
    recall_p50: float
    recall_p99: float
    recall_over_alone: float
    record_alone_p50: float
    record_alone_p99: float
    record_p50: float
    record_p99: float
    record_over_alone: float
    answers: dict[str, int]
    grown_mb: float


async def measure(
    folder: Path, memories: int, rounds: int, seconds: float, slow: int
) -> dict[str, Beside]:
    """Each neighbour in a server started anew, with what both have said before.

    In the end the noisy one in another server than the quiet one: what is left to notice then is
    the machine that they share.
    """
    found: dict[str, Beside] = {}
    given = {name: talk(memories, QUESTIONS, seed) for seed, name in enumerate((QUIET, NOISY))}
    async with (
        open_embedder(Settings(data=folder).embedder) as embedder,
        open_memory(folder, embedder) as memory,
    ):
        users = [(Scope(name), one) for name, one in given.items()]
        await load(memory.services, users, f"record and embed 2 x {memories:,}")
        access = memory.services.access
        secrets = {name: (await access.create(name, "bench")).secret for name in given}
    quiet = Quiet(secrets[QUIET], iter(given[QUIET].questions))
    ordinary, loud = (
        Neighbour(partial(noise, secrets[NOISY], given[NOISY].questions, times))
        for times in (1, TIMES)
    )
    dawdlers = Neighbour(partial(dawdle, slow), GATHERING)
    for name, neighbour in {ORDINARY: ordinary, NOISY: loud, "slow": dawdlers}.items():
        with served(folder) as server:
            found[name] = await beside(server, quiet, neighbour, rounds, seconds)
    with fresh(folder) as theirs, served(theirs) as other, served(folder) as server:
        away = replace(loud, port=other.port)
        found[ELSEWHERE] = await beside(server, quiet, away, rounds, seconds)
    return found


@dataclass(frozen=True, slots=True)
class Quiet:
    """Asks and tells something at an even pace, whether or not what was before is answered."""

    secret: str
    texts: Iterator[str]

    async def pace(self, port: int, seconds: float) -> Times:
        times = Times()
        began = perf_counter()
        async with wired(port, SIDE_BY_SIDE) as wire, asyncio.TaskGroup() as tasks:
            for number in range(int(seconds * RATE)):
                work = self.record if number % 2 else self.recall
                into = times.record if number % 2 else times.recall
                due = began + number / RATE
                tasks.create_task(timed(partial(work, wire), due, into))
        return times

    async def recall(self, wire: Wire) -> None:
        await wire.post("/v1/recall", as_caller(self.secret), {"query": next(self.texts)})

    async def record(self, wire: Wire) -> None:
        await wire.post("/v1/turns", as_caller(self.secret), said(next(self.texts)))


async def timed(work: Callable[[], Awaitable[None]], due: float, into: list[float]) -> None:
    await asyncio.sleep(due - perf_counter())
    began = perf_counter()
    await work()
    into.append(perf_counter() - began)


async def beside(
    server: Served, quiet: Quiet, neighbour: Neighbour, rounds: int, seconds: float
) -> Beside:
    """Alone, then beside the neighbour, who is a process of its own; and again.

    Alone is without what follows the neighbour's turns, too. The neighbour has the processor last:
    their program would run on a machine of theirs.
    """
    loop = asyncio.get_running_loop()
    alone, together, answers = Times(), Times(), Counter[str]()
    fresh = multiprocessing.get_context("spawn")
    behind = partial(os.nice, LAST)
    with ProcessPoolExecutor(max_workers=1, mp_context=fresh, initializer=behind) as pool:

        def bother(during: float) -> asyncio.Future[Counter[str]]:
            port = neighbour.port or server.port
            return loop.run_in_executor(pool, neighbour.bother, port, during)

        await bother(0.0)
        await quiet.pace(server.port, seconds)
        before = server.resident
        for _ in range(rounds):
            await server.at_rest()
            gathered(alone, await quiet.pace(server.port, seconds))
            bothering = bother(neighbour.ahead + seconds)
            await asyncio.sleep(neighbour.ahead)
            gathered(together, await quiet.pace(server.port, seconds))
            answers += await bothering
    return summed_up(alone, together, answers, server.resident - before)


def gathered(into: Times, more: Times) -> None:
    into.recall.extend(more.recall)
    into.record.extend(more.record)


def noise(secret: str, texts: Sequence[str], times: int, port: int, seconds: float) -> Counter[str]:
    """Recalls and records so many times as much as the quiet one; how often each was answered."""
    return asyncio.run(speaking(secret, texts, times, port, seconds))


async def speaking(
    secret: str, texts: Sequence[str], times: int, port: int, seconds: float
) -> Counter[str]:
    answers = Counter[str]()
    until = perf_counter() + seconds
    pause = 1 / RATE

    async def one(line: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        due = perf_counter() + pause * line / times
        number = line
        while max(due, perf_counter()) < until:
            await asyncio.sleep(due - perf_counter())
            path, body = wanted(number, texts[number % len(texts)])
            answers[await status_of(reader, writer, path, secret, body)] += 1
            number, due = number + times + (times + 1) % 2, due + pause
        writer.close()

    async with asyncio.TaskGroup() as tasks:
        for line in range(times):
            tasks.create_task(one(line))
    return answers


def wanted(number: int, text: str) -> tuple[str, object]:
    return ("/v1/turns", said(text)) if number % 2 else ("/v1/recall", {"query": text})


async def status_of(
    reader: StreamReader, writer: StreamWriter, path: str, secret: str, body: object
) -> str:
    writer.write(request(path, as_caller(secret), json.dumps(body).encode()))
    head = await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(length_of(head))
    return head.split(b" ", 2)[1].decode()


def dawdle(many: int, port: int, seconds: float) -> Counter[str]:
    """Hold so many connections whose request never ends; how often one was opened."""
    return asyncio.run(dawdling(many, port, seconds))


async def dawdling(many: int, port: int, seconds: float) -> Counter[str]:
    opened = Counter[str]()
    until = perf_counter() + seconds

    async def one() -> None:
        while perf_counter() < until:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            opened["opened"] += 1
            writer.write(b"POST /v1/turns HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
            with suppress(ConnectionError):
                await drip(writer, until)
            writer.close()

    async with asyncio.TaskGroup() as tasks:
        for _ in range(many):
            tasks.create_task(one())
    return opened


async def drip(writer: StreamWriter, until: float) -> None:
    """A letter now and then, until the time is over or the server hangs up."""
    while perf_counter() < until and not writer.is_closing():
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(DRIP)


def as_caller(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def said(text: str) -> object:
    return {"messages": [{"role": "user", "text": text}]}


def summed_up(alone: Times, together: Times, answers: Counter[str], grown: float) -> Beside:
    recall_alone, recall = milliseconds(alone.recall), milliseconds(together.recall)
    record_alone, record = milliseconds(alone.record), milliseconds(together.record)
    return Beside(
        requests=len(together.recall) + len(together.record),
        recall_alone_p50=recall_alone[0],
        recall_alone_p99=recall_alone[1],
        recall_p50=recall[0],
        recall_p99=recall[1],
        recall_over_alone=round(recall[1] / recall_alone[1], 2),
        record_alone_p50=record_alone[0],
        record_alone_p99=record_alone[1],
        record_p50=record[0],
        record_p99=record[1],
        record_over_alone=round(record[1] / record_alone[1], 2),
        answers=dict(sorted(answers.items())),
        grown_mb=round(grown, 1),
    )


def milliseconds(seconds: Sequence[float]) -> tuple[float, float]:
    """Median and 99th percentile."""
    p50, p99 = np.percentile(seconds, [50, 99])
    return round(float(p50) * 1000, 3), round(float(p99) * 1000, 3)
