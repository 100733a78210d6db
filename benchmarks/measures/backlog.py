"""A backlog of jobs: how fast workers get through it, and what memory it takes them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import psutil

from benchmarks.chaos.crew import Crew, Job, crew, pid_of
from benchmarks.chaos.house import House, Mind, open_house
from benchmarks.tables import progress
from memweaver.app.sections import ReflectorSettings, ShardIndexSettings
from memweaver.app.settings import Settings
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.job import State
from memweaver.domain.scope import Scope

GLANCE = 0.1
EDGES = 0.1
"""Share of the jobs at either end that is not timed: workers start and end one after the other."""
PAGE = 500


@dataclass(frozen=True, slots=True)
class Throughput:
    """Jobs a second, and those that so many models of such a latency would answer at best."""

    jobs: int
    workers: int
    concurrency: int
    model_seconds: float
    per_second: float
    at_best: float
    share: float


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes a worker holds when a tenth, a half and all of the backlog are done."""

    jobs: int
    per_second: float
    at_a_tenth: float
    at_half: float
    at_the_end: float
    growth: float


async def throughput(
    folder: Path, jobs: int, workers: int, concurrency: int, seconds: float
) -> Throughput:
    """Each job of another user, so that all can be done side by side."""
    settings = Settings(data=folder, reflector=ReflectorSettings(workers=concurrency))
    async with open_house(settings, Mind()) as house:
        await fill(house, jobs, users=jobs)
        with crew(Job(settings, Mind(seconds)), workers) as hands:
            await drained(house, jobs, hands)
        rate = rate_of(await settled(house))
    best = workers * concurrency / seconds
    return Throughput(
        jobs, workers, concurrency, seconds, round(rate, 1), round(best, 1), round(rate / best, 3)
    )


async def memory(folder: Path, jobs: int, users: int) -> Memory:
    """Shards are kept open within a budget, a small one here: what must be flat is all else."""
    settings = Settings(data=folder, index=ShardIndexSettings(megabytes=1))
    async with open_house(settings, Mind()) as house:
        await fill(house, jobs, users)
        with crew(Job(settings, Mind()), 1) as hands:
            held = await drained(house, jobs, hands)
        rate = rate_of(await settled(house))
    tenth, half, end = held[len(held) // 10], held[len(held) // 2], held[-1]
    return Memory(jobs, round(rate, 1), tenth, half, end, round(end / tenth, 3))


async def fill(house: House, jobs: int, users: int) -> None:
    """Each user's in one go."""
    with progress() as bar:
        for user in bar.track(range(users), description="backlog"):
            said = [
                Said((Message(Role.USER, f"word{number}"),)) for number in range(user, jobs, users)
            ]
            await house.services.record.many(Scope(f"user{user}"), said)


async def drained(house: House, jobs: int, hands: Crew) -> list[float]:
    """Wait until nothing is left; megabytes of the first worker after each hundredth of it."""
    held: list[float] = []
    first = psutil.Process(pid_of(hands.workers[0]))
    with progress() as bar:
        task = bar.add_task("reflect", total=jobs)
        while (left := await unfinished(house)) or len(held) < 2:
            bar.update(task, completed=jobs - left)
            while len(held) <= 100 * (jobs - left) // jobs:
                held.append(round(first.memory_info().rss / 1e6, 1))
            await asyncio.sleep(GLANCE)
            hands.fill()
    return [*held, round(first.memory_info().rss / 1e6, 1)]


async def unfinished(house: House) -> int:
    depth = await house.backend.queue.depth()
    if depth.dead:
        raise RuntimeError(f"{depth.dead} jobs are dead: nothing can be said about speed")
    return depth.waiting + depth.running


async def settled(house: House) -> Sequence[datetime]:
    """When each job was done, in order."""
    times: list[datetime] = []
    before: int | None = None
    while True:
        page = await house.backend.queue.jobs(
            states=[State.DONE], user=None, before=before, limit=PAGE
        )
        times += [job.settled_at for job in page.items if job.settled_at is not None]
        if (before := page.next) is None:
            return sorted(times)


def rate_of(times: Sequence[datetime]) -> float:
    """Jobs a second between the edges."""
    edge = int(EDGES * len(times))
    middle = times[edge : len(times) - edge]
    return (len(middle) - 1) / (middle[-1] - middle[0]).total_seconds()
