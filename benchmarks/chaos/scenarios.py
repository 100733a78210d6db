"""Everything that is done to it, each in a folder of its own."""

from collections.abc import Callable, Coroutine, Mapping
from pathlib import Path

import numpy as np
from tests.servers.keeper import installed_programs
from tests.servers.postgres import absent
from tests.servers.rabbitmq import private_rabbitmq
from tests.servers.redis import private_redis

from benchmarks.chaos import api, identical, power, servers, windows, workers
from benchmarks.chaos.durable import durable_postgres
from benchmarks.chaos.house import Mind
from benchmarks.chaos.sizes import Size
from benchmarks.chaos.storm import Outcome, Storm
from benchmarks.chaos.verdict import Verdict

Scenario = Callable[[Path, Size, np.random.Generator], Coroutine[None, None, Outcome]]


async def workers_killed(folder: Path, size: Size, rng: np.random.Generator) -> Outcome:
    return await workers.killed(folder, Storm(size.jobs, size.kills, pause=0.25), rng)


async def workers_stopped(folder: Path, size: Size, rng: np.random.Generator) -> Outcome:
    # Few users, so that somebody comes to take over while the sleeper sleeps.
    storm = Storm(size.jobs // 3, size.stops, users=8, mind=Mind(0.1))
    return await workers.stopped(folder, storm, rng)


async def api_killed(folder: Path, size: Size, rng: np.random.Generator) -> Outcome:
    return await api.killed(folder, size.api_kills, rng)


async def rabbitmq_killed(folder: Path, size: Size, rng: np.random.Generator) -> Outcome:
    with private_rabbitmq() as server:
        storm = Storm(size.jobs // 3, size.rabbitmq_kills, pause=2.0)
        return await servers.rabbitmq_killed(folder, storm, rng, server)


async def postgres_killed(folder: Path, size: Size, rng: np.random.Generator) -> Outcome:
    with durable_postgres(installed_programs() or absent("it is not installed")) as server:
        storm = Storm(size.jobs // 3, size.postgres_kills, pause=2.0)
        return await servers.postgres_killed(folder, storm, rng, server)


async def redis_emptied(folder: Path, size: Size, _: np.random.Generator) -> Outcome:
    with private_redis() as server:
        return await windows.emptied(folder, size.redis_blows, server)


async def identical_turns(folder: Path, _: Size, __: np.random.Generator) -> Outcome:
    return await identical.told(folder)


async def power_cut(folder: Path, size: Size, rng: np.random.Generator) -> Outcome:
    cuts = await power.cut(folder, size.images, rng)
    verdict = Verdict(cuts.lost, duplicates=0, inversions=0, damage=cuts.halves + cuts.damaged)
    return Outcome(cuts.acked, cuts.acked, verdict, {"images": cuts.images})


SCENARIOS: Mapping[str, Scenario] = {
    scenario.__name__: scenario
    for scenario in (
        workers_killed,
        workers_stopped,
        api_killed,
        rabbitmq_killed,
        postgres_killed,
        redis_emptied,
        identical_turns,
        power_cut,
    )
}
