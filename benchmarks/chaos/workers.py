"""Workers that are killed, and workers that sleep longer than their lease lasts."""

import asyncio
from pathlib import Path

import numpy as np

from benchmarks.chaos.crew import Crew
from benchmarks.chaos.storm import Outcome, Storm, settings_for, weather

LEASE = 0.4
SLEEPERS = 2
"""Workers that stand still at a time; the others go on."""


async def killed(folder: Path, storm: Storm, rng: np.random.Generator) -> Outcome:
    async def strike(workers: Crew) -> None:
        workers.kill(int(rng.integers(storm.workers)))

    return await weather(storm, settings_for(folder), strike, rng, "kills")


async def stopped(folder: Path, storm: Storm, rng: np.random.Generator) -> Outcome:
    """Each sleeps for longer than its lease, and wakes to find that somebody else has its work."""
    free = asyncio.Semaphore(SLEEPERS)

    async def strike(workers: Crew) -> None:
        await free.acquire()
        victim = workers.stop(int(rng.integers(storm.workers)))

        def wake() -> None:
            workers.resume(victim)
            free.release()

        asyncio.get_running_loop().call_later(LEASE * float(rng.uniform(2.5, 4.0)), wake)

    return await weather(storm, settings_for(folder, LEASE), strike, rng, "stops")
