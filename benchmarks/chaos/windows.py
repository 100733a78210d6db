"""Redis, emptied and killed: working memory is made again from the turns."""

import socket
from dataclasses import replace
from pathlib import Path

from pydantic import SecretStr
from tests.servers.private import Private
from tests.servers.redis import redis_url

from benchmarks.chaos.crew import Job, crew
from benchmarks.chaos.house import House, Mind, open_house
from benchmarks.chaos.storm import Outcome, finished, settings_for
from benchmarks.chaos.traffic import Traffic
from benchmarks.chaos.verdict import judged
from benchmarks.tables import progress
from memweaver.adapters.memory.near import NearWindows
from memweaver.app.sections import RedisSettings, WorkingSettings
from memweaver.domain.conversation import Said
from memweaver.domain.scope import Scope

SESSION = Said(()).session
USERS = 4
ROUND = 24
"""Turns recorded between two blows."""
BUDGET = 12
"""Tokens of a window, so few that summaries are made too."""


async def emptied(folder: Path, rounds: int, server: Private) -> Outcome:
    """Emptied in one round, killed in the next; what is wrong then counts as lost."""
    settings = settings_for(
        folder,
        redis=RedisSettings(url=SecretStr(redis_url(server))),
        working=WorkingSettings(budget=BUDGET, summary=BUDGET),
    )
    traffic, wrong = Traffic(USERS), 0
    async with open_house(settings, Mind()) as house:
        with crew(Job(settings, Mind()), 2) as workers, progress() as bar:
            for number in bar.track(range(rounds), description="blows at Redis"):
                for _ in range(ROUND):
                    await traffic.one(house.services)
                await finished(house, 60)
                wrong += await struck(house, traffic, server, deadly=bool(number % 2))
        verdict = await judged(house, traffic.acked)
    return Outcome(
        traffic.attempted,
        traffic.acknowledged,
        replace(verdict, lost=verdict.lost + wrong),
        {"redis_flushes": rounds - rounds // 2, "redis_kills": rounds // 2},
        {"workers_failed": workers.failed},
    )


async def struck(house: House, traffic: Traffic, server: Private, *, deadly: bool) -> int:
    """How many windows are wrong before, while Redis is away, and after."""
    wrong = await differing(house, traffic)
    if not deadly:
        empty(server)
        return wrong + await differing(house, traffic)
    server.kill()
    wrong += await differing(house, traffic)
    server.start()
    return wrong + await differing(house, traffic)


async def differing(house: House, traffic: Traffic) -> int:
    """Windows that are not as they are when made from the store, or lack the latest turn."""
    working = house.services.working
    anew, wrong = replace(working, near=NearWindows()), 0
    for user, acked in traffic.acked.items():
        window, fresh = await working(Scope(user), SESSION), await anew(Scope(user), SESSION)
        wrong += window != fresh or window.turns[-1].id != acked[-1]
    return wrong


def empty(server: Private) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as there:
        there.sendall(b"FLUSHALL\r\n")
        if not there.recv(16).startswith(b"+OK"):
            raise RuntimeError("Redis did not empty itself")
