"""A storm: turns come in, workers reflect, and somebody is struck again and again meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.chaos.crew import Crew, Job, crew
from benchmarks.chaos.house import House, Mind, open_house
from benchmarks.chaos.traffic import WAITING, Traffic
from benchmarks.chaos.verdict import Verdict, judged
from benchmarks.tables import progress
from memweaver.adapters.sql import sqlite_url
from memweaver.adapters.sql.sqlite import open_engine
from memweaver.app.opening import DATABASE
from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.domain.job import State
from memweaver.errors import BackendError

CALM = 120.0
"""Seconds after the last strike within which everything must be done."""
GLANCE = 0.05
HANDS = 4
"""Turns handed in side by side."""

Strike = Callable[[Crew], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Storm:
    """At least so many jobs, exactly so many strikes, some `pause` between two of them."""

    jobs: int
    strikes: int
    pause: float = 0.1
    workers: int = 4
    users: int = 24
    mind: Mind = field(default_factory=lambda: Mind(0.02))
    mutant: str | None = None
    calm: float = CALM

    @property
    def longest(self) -> float:
        """Seconds after which it hangs."""
        return 60 + self.jobs + 60 * self.strikes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a scenario. `strikes` tells how many of what there were."""

    attempted: int
    acked: int
    verdict: Verdict
    strikes: dict[str, int]
    told: dict[str, int] = field(default_factory=dict)

    @property
    def clean(self) -> bool:
        return self.verdict.clean and not self.told.get("workers_failed")

    def as_dict(self) -> dict[str, int]:
        plain = {"attempted": self.attempted, "acked": self.acked}
        return {**plain, **asdict(self.verdict), **self.strikes, **self.told}


def settings_for(folder: Path, lease: float = 1.0, **others: object) -> Settings:
    """Short leases and little patience: what takes minutes in life takes seconds here."""
    reflector = ReflectorSettings(
        lease=lease, poll=0.2, workers=2, batch_size=3, retry_delay=0.3, inside=False
    )
    return Settings.model_validate({"data": folder, "reflector": reflector, **others})


async def weather(
    storm: Storm,
    settings: Settings,
    strike: Strike,
    rng: np.random.Generator,
    name: str,
) -> Outcome:
    """Let it storm, wait until it is calm and everything done, and judge."""
    traffic, job = Traffic(storm.users), Job(settings, storm.mind, storm.mutant)
    pauses = [float(pause) for pause in rng.exponential(storm.pause, storm.strikes)]
    async with open_house(settings, storm.mind) as house:
        with crew(job, storm.workers) as workers:
            async with asyncio.timeout(storm.longest), asyncio.TaskGroup() as tasks:
                striking = tasks.create_task(struck(house, pauses, partial(strike, workers), name))
                for _ in range(HANDS):
                    tasks.create_task(hand_in(house, traffic, storm.jobs, striking))
            await finished(house, storm.calm)
        verdict = await judged(house, traffic.acked)
        again = await begun_again(house)
    told = {"begun_again": again, "workers_failed": workers.failed}
    sound = settings.store.kind != "sqlite" or intact(settings.data / DATABASE)
    return Outcome(
        traffic.attempted,
        traffic.acknowledged,
        replace(verdict, damage=int(not sound)),
        {name: storm.strikes},
        told,
    )


async def struck(
    house: House, pauses: Sequence[float], strike: Callable[[], Awaitable[None]], name: str
) -> None:
    """After each of these pauses, once the workers are at work."""
    while not await anything_done(house):  # noqa: ASYNC110 - others do the work
        await asyncio.sleep(GLANCE)
    with progress() as bar:
        for pause in bar.track(pauses, description=name):
            await asyncio.sleep(pause)
            await strike()


async def anything_done(house: House) -> bool:
    done = await house.backend.queue.jobs(states=[State.DONE], user=None, before=None, limit=1)
    return bool(done.items)


async def hand_in(house: House, traffic: Traffic, jobs: int, striking: asyncio.Task[None]) -> None:
    """Until there were enough of them, and strikes enough; never many more than are done."""
    while traffic.attempted < jobs or not striking.done():
        if await waiting(house) > WAITING:
            await asyncio.sleep(GLANCE)
        else:
            await traffic.one(house.services)


async def waiting(house: House) -> int:
    """Jobs that wait or run; many, if nobody can tell just now."""
    try:
        depth = await house.backend.queue.depth()
    except BackendError:
        return WAITING + 1
    return depth.waiting + depth.running


async def finished(house: House, patience: float) -> None:
    """Until nothing waits, but not for ever: what is unfinished then is told by the verdict."""
    loop = asyncio.get_running_loop()
    until = loop.time() + patience
    while await waiting(house) and loop.time() < until:  # noqa: ASYNC110 - others do the work
        await asyncio.sleep(GLANCE)


async def begun_again(house: House) -> int:
    """Attempts beyond the first of each job: how often a strike has met somebody at work."""
    again, before = 0, None
    while True:
        page = await house.backend.queue.jobs(states=[*State], user=None, before=before, limit=500)
        again += sum(job.attempts - 1 for job in page.items)
        if (before := page.next) is None:
            return again


def intact(file: Path) -> bool:
    """What SQLite says of its own file."""
    engine = open_engine(sqlite_url(file), writer=True)
    try:
        with engine.connect() as connection:
            return connection.exec_driver_sql("PRAGMA integrity_check").scalars().all() == ["ok"]
    finally:
        engine.dispose()
