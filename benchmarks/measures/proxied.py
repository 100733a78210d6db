"""Chats through the proxy with memory and without, beside the bare embedder, second by second."""

import asyncio
import json
import subprocess
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.memory import fresh, load, open_memory
from benchmarks.serving import Served, served
from benchmarks.synthetic import talk
from benchmarks.wire import length_of, request
from memweaver.app.opening import open_embedder
from memweaver.app.settings import Settings
from memweaver.domain.scope import Scope
from memweaver.ports.models import Embedder

USER = "somebody"
RATE = 4
"""Turns a second of the one who waits for first tokens: what follows a turn is through by then."""
CROWD = 8
"""Those who talk at once when turns are counted."""
STRETCH = 4
"""Rounds after which the memory is as at first again: every turn of theirs makes it larger."""
QUESTIONS = 60_000
"""More than will be asked."""
OFF = {"X-Memweaver-Ephemeral": "on"}
GLANCE = 0.05
"""Seconds between two looks whether what follows the turns is through."""


@dataclass(frozen=True, slots=True)
class Upstream:
    """The scripted model: seconds until it says its first word, and how many words it says."""

    latency: float
    words: int


PROMPT = Upstream(0.0, 3)
"""No model is as quick: whatever the proxy adds shows most."""
LIFELIKE = Upstream(0.005, 20)
"""Still far quicker than any model, but it streams as one does."""


@dataclass(frozen=True, slots=True)
class Proxied:
    """Milliseconds to the first token, and turns a second, with memory and without.

    `following_ms` is what a turn leaves to be done afterwards, and `sustained_per_second` what
    remains of the turns a second if that is waited for.
    """

    memories: int
    turns: int
    first_token_p50: float
    first_token_p95: float
    without_memory_p50: float
    without_memory_p95: float
    bare_embedder_p50: float
    growth_p50_over_bare_embedder: float
    growth_p95_over_bare_embedder: float
    turns_per_second: float
    without_memory_per_second: float
    turns_over_without_memory: float
    following_ms: float
    sustained_per_second: float


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many turns were done in how many seconds, and how long what follows them took."""

    turns: int
    seconds: float
    following: float

    @property
    def rate(self) -> float:
        return self.turns / self.seconds


@dataclass(frozen=True, slots=True)
class Seen:
    on: list[float] = field(default_factory=list[float])
    off: list[float] = field(default_factory=list[float])
    bare: list[float] = field(default_factory=list[float])
    crowd_on: list[Crowd] = field(default_factory=list[Crowd])
    crowd_off: list[Crowd] = field(default_factory=list[Crowd])


async def measure(
    folder: Path, memories: int, rounds: int, upstreams: Sequence[Upstream]
) -> list[Proxied]:
    """One after the other with each of `upstreams`, each with a memory of its own."""
    given = talk(memories, QUESTIONS, seed=memories)
    questions = iter(given.questions)  # none twice: vectors of questions are kept for a while
    first = folder / "first"
    async with open_embedder(Settings(data=first).embedder) as embedder:
        async with open_memory(first, embedder) as memory:
            await load(memory.services, [(Scope(USER), given)], f"record and embed {memories:,}")
            secret = (await memory.services.access.create(USER, "bench")).secret
        found = []
        for upstream in upstreams:
            seen = Seen()
            for done in range(0, rounds, STRETCH):
                with model(upstream) as url, fresh(first) as own, before(url, own) as server:
                    caller = Caller(server.port, secret)
                    await in_turn(caller, embedder, questions, min(STRETCH, rounds - done), seen)
            found.append(summed_up(memories, seen))
    return found


async def in_turn(
    caller: "Caller", embedder: Embedder, questions: Iterator[str], rounds: int, seen: Seen
) -> None:
    """A second of each, and again; in the first round everything becomes warm."""
    warming = Seen()
    for number in range(rounds + 1):
        into = seen if number else warming
        into.on.extend(await caller.paced(questions, {}))
        await caller.settled()
        into.off.extend(await caller.paced(questions, OFF))
        into.bare.extend([await embedding(embedder, next(questions)) for _ in range(RATE)])
        into.crowd_on.append(await caller.crowd(questions, {}))
        into.crowd_off.append(await caller.crowd(questions, OFF))


@dataclass(frozen=True, slots=True)
class Caller:
    port: int
    secret: str

    async def paced(self, questions: Iterator[str], wishes: dict[str, str]) -> list[float]:
        """The seconds to the first token of turns that come at a fixed rate."""
        times: list[float] = []
        async with connected(self.port) as streams:
            for _ in range(RATE):
                due = perf_counter() + 1 / RATE
                times.append(await self.turn(streams, next(questions), wishes))
                await asyncio.sleep(max(0.0, due - perf_counter()))
        return times

    async def crowd(self, questions: Iterator[str], wishes: dict[str, str]) -> Crowd:
        """Many who never wait, for about a second; then what they left is waited for."""
        until = perf_counter() + 1
        done = 0

        async def one() -> None:
            nonlocal done
            async with connected(self.port) as streams:
                while perf_counter() < until:
                    await self.turn(streams, next(questions), wishes)
                    done += 1

        began = perf_counter()
        async with asyncio.TaskGroup() as tasks:
            for _ in range(CROWD):
                tasks.create_task(one())
        seconds = perf_counter() - began
        return Crowd(done, seconds, await self.settled())

    async def settled(self) -> float:
        """Wait until every turn is embedded and reflected upon; the seconds it took."""
        began = perf_counter()
        async with connected(self.port) as streams:
            while not through(await parts(streams)):  # noqa: ASYNC110 - it tells no event
                await asyncio.sleep(GLANCE)
        return perf_counter() - began

    async def turn(
        self, streams: tuple[StreamReader, StreamWriter], text: str, wishes: dict[str, str]
    ) -> float:
        """The seconds until the first token; returns when the last has come."""
        reader, writer = streams
        body = {"messages": [{"role": "user", "content": text}], "stream": True}
        headers = {"Authorization": f"Bearer {self.secret}", **wishes}
        began = perf_counter()
        writer.write(request("/v1/chat/completions", headers, json.dumps(body).encode()))
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(f"refused: {head.splitlines()[0].decode()}")
        first = 0.0
        while size := int(await reader.readuntil(b"\r\n"), 16):
            first = first or perf_counter() - began
            await reader.readexactly(size + 2)
        await reader.readexactly(2)
        return first


async def parts(streams: tuple[StreamReader, StreamWriter]) -> Mapping[str, Any]:
    """What `/health` tells of each part."""
    reader, writer = streams
    writer.write(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    length = length_of(await reader.readuntil(b"\r\n\r\n"))
    told: Mapping[str, Any] = json.loads(await reader.readexactly(length))["parts"]
    return told


def through(told: Mapping[str, Any]) -> bool:
    queue = told["queue"]
    return not queue["waiting"] and not queue["running"] and told["embedding"]["embedded"] == 1


async def embedding(embedder: Embedder, text: str) -> float:
    began = perf_counter()
    await embedder.embed([text])
    return perf_counter() - began


@asynccontextmanager
async def connected(port: int) -> AsyncGenerator[tuple[StreamReader, StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        await writer.wait_closed()


@contextmanager
def model(upstream: Upstream) -> Generator[str]:
    """The scripted model, in a process of its own; where it is."""
    command = [sys.executable, "-m", "memweaver.testing.model_server"]
    manner = ["--latency", str(upstream.latency), "--words", str(upstream.words)]
    with subprocess.Popen(
        [*command, *manner], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None  # noqa: S101 - asked for above
        yield process.stdout.readline().strip()


def before(upstream: str, folder: Path) -> AbstractContextManager[Served]:
    """A server in front of a model, for as many requests as come."""
    return served(folder, UPSTREAM__URL=upstream, ACCESS__REQUESTS_PER_MINUTE="0")


def summed_up(memories: int, seen: Seen) -> Proxied:
    on50, on95 = milliseconds(seen.on)
    off50, off95 = milliseconds(seen.off)
    bare50, _ = milliseconds(seen.bare)
    rate, without = median_rate(seen.crowd_on), median_rate(seen.crowd_off)
    turns = sum(crowd.turns for crowd in seen.crowd_on)
    following = sum(crowd.following for crowd in seen.crowd_on)
    whole = following + sum(crowd.seconds for crowd in seen.crowd_on)
    return Proxied(
        memories=memories,
        turns=len(seen.on),
        first_token_p50=round(on50, 3),
        first_token_p95=round(on95, 3),
        without_memory_p50=round(off50, 3),
        without_memory_p95=round(off95, 3),
        bare_embedder_p50=round(bare50, 3),
        growth_p50_over_bare_embedder=round((on50 - off50) / bare50, 2),
        growth_p95_over_bare_embedder=round((on95 - off95) / bare50, 2),
        turns_per_second=round(rate, 1),
        without_memory_per_second=round(without, 1),
        turns_over_without_memory=round(rate / without, 3),
        following_ms=round(1000 * following / turns, 1),
        sustained_per_second=round(turns / whole, 1),
    )


def median_rate(crowds: Sequence[Crowd]) -> float:
    return float(np.median([crowd.rate for crowd in crowds]))


def milliseconds(seconds: Sequence[float]) -> tuple[float, float]:
    p50, p95 = np.percentile(seconds, [50, 95])
    return float(p50) * 1000, float(p95) * 1000
