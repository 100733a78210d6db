"""RabbitMQ and Postgres, killed under traffic and started again."""

import asyncio
from pathlib import Path

import numpy as np
from pydantic import SecretStr
from tests.servers.private import Private
from tests.servers.rabbitmq import rabbitmq_url

from benchmarks.chaos.crew import Crew
from benchmarks.chaos.storm import Outcome, Storm, Strike, settings_for, weather
from memweaver.app.sections import PostgresStore, RabbitMQSettings

AWAY = 1.0
"""Seconds for which a killed server stays away."""


async def rabbitmq_killed(
    folder: Path, storm: Storm, rng: np.random.Generator, server: Private
) -> Outcome:
    rabbitmq = RabbitMQSettings(url=SecretStr(rabbitmq_url(server)))
    settings = settings_for(folder, rabbitmq=rabbitmq)
    return await weather(storm, settings, blow(server), rng, "rabbitmq_kills")


async def postgres_killed(
    folder: Path, storm: Storm, rng: np.random.Generator, server: Private
) -> Outcome:
    url = SecretStr(f"postgresql://postgres@127.0.0.1:{server.port}/postgres")
    settings = settings_for(folder, store=PostgresStore(url=url, pool=4))
    return await weather(storm, settings, blow(server), rng, "postgres_kills")


def blow(server: Private) -> Strike:
    async def strike(_: Crew) -> None:
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(AWAY)
        await asyncio.to_thread(server.start)

    return strike
