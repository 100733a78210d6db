"""How long a turn waits for its reflection when there is nothing else to do."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr
from tests.servers.keeper import installed_programs
from tests.servers.postgres import private_postgres

from benchmarks.chaos.crew import Job, crew
from benchmarks.chaos.house import House, Mind, open_house
from benchmarks.tables import screen
from memweaver.app.sections import PostgresStore
from memweaver.app.settings import Settings
from memweaver.background import beside
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.job import State
from memweaver.domain.scope import Scope

SCOPE = Scope("ann")
GLANCE = 0.02


@dataclass(frozen=True, slots=True)
class Quiet:
    """The slowest of some turns, in seconds from its recording to the end of its job.

    `inside`: worker and server are one process. `polling`: another process on the same SQLite
    file. `notified`: another process on Postgres; `None` where there is none.
    """

    turns: int
    model_seconds: float
    inside: float
    polling: float
    notified: float | None

    @property
    def slowest(self) -> float:
        return max(each for each in (self.inside, self.polling, self.notified) if each is not None)


async def measure(folder: Path, turns: int, seconds: float) -> Quiet:
    mind = Mind(seconds)
    inside = await timed(within(Settings(data=folder / "inside"), mind), turns)
    polling = await timed(apart(Settings(data=folder / "polling"), mind), turns)
    return Quiet(turns, seconds, max(inside), max(polling), await on_postgres(folder, mind, turns))


async def on_postgres(folder: Path, mind: Mind, turns: int) -> float | None:
    if installed_programs() is None:
        screen.print("[bold red]NOT MEASURED ON POSTGRES: it is not installed[/]")
        return None
    with private_postgres() as server:
        store = PostgresStore(url=SecretStr(server.url(server.new_database())))
        settings = Settings(data=folder / "notified", store=store)
        return max(await timed(apart(settings, mind), turns))


@asynccontextmanager
async def within(settings: Settings, mind: Mind) -> AsyncGenerator[House]:
    async with open_house(settings, mind) as house, beside(house.worker.run()):
        yield house


@asynccontextmanager
async def apart(settings: Settings, mind: Mind) -> AsyncGenerator[House]:
    async with open_house(settings, mind) as house:
        with crew(Job(settings, mind), 1):
            yield house


async def timed(opening: AbstractAsyncContextManager[House], turns: int) -> Sequence[float]:
    """Seconds of each, one after the other; the first, for which a worker starts, not counted."""
    async with opening as house:
        times = [await reflected(house, f"word{number}") for number in range(turns + 1)]
    return times[1:]


async def reflected(house: House, word: str) -> float:
    turn = await house.services.record(SCOPE, Said((Message(Role.USER, word),)))
    job = await house.backend.queue.job(SCOPE, turn.id)
    while job.state is not State.DONE:
        if job.state is State.DEAD:
            raise RuntimeError("the job is dead: nothing can be said about speed")
        await asyncio.sleep(GLANCE)
        job = await house.backend.queue.job(SCOPE, turn.id)
    ended = job.settled_at or turn.recorded_at
    return round((ended - turn.recorded_at).total_seconds(), 3)
