"""The server, killed while it accepts turns: what it answered is kept, what it did not is once."""

import asyncio
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx
import numpy as np
from tests.servers.programs import free_port

from benchmarks import BEFORE
from benchmarks.chaos.crew import Job, crew
from benchmarks.chaos.house import Mind, open_house
from benchmarks.chaos.storm import Outcome, finished, intact, settings_for
from benchmarks.chaos.traffic import AGAIN, Traffic
from benchmarks.chaos.verdict import judged
from benchmarks.tables import progress
from memweaver.app.opening import DATABASE
from memweaver.services import Services

CLIENTS = 8
PATIENCE = 60
"""Seconds for the server to come up and accept some turns."""
NOWHERE = "127.0.0.1:9"
"""Where nobody answers: models and brokers are down while turns are accepted."""
MUTE = {
    "MEMWEAVER_EMBEDDER__KIND": "openai",
    "MEMWEAVER_EMBEDDER__URL": f"http://{NOWHERE}",
}


@dataclass(slots=True)
class Api:
    """`memweaver serve`, at the same port however often it is killed."""

    folder: Path
    mutant: str | None = None
    embedding: bool = False
    """Turns are embedded in the background, on this machine."""
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Returns when it listens."""
        genuine = [str(Path(sys.executable).with_name("memweaver"))]
        changed = [sys.executable, "-m", "benchmarks.chaos.mutated", self.mutant or ""]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(changed if self.mutant else genuine),
                    "serve",
                    "--json",
                    "--port",
                    str(self.port),
                ],
                env={**BEFORE, **alone(self.folder), **({} if self.embedding else MUTE)},
                stdout=subprocess.PIPE,
                stderr=log,
            )
        said = self.process.stdout.readline() if self.process.stdout else b""
        if not said:
            raise RuntimeError(f"the server did not start: see {log.name}")

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def alone(folder: Path) -> dict[str, str]:
    """A server that only accepts: no worker inside, no model, no broker."""
    return {
        "MEMWEAVER_DATA": str(folder),
        "MEMWEAVER_EXTRACTOR__KIND": "openai",
        "MEMWEAVER_EXTRACTOR__URL": f"http://{NOWHERE}",
        "MEMWEAVER_REFLECTOR__INSIDE": "false",
        "RABBITMQ_URL": f"amqp://guest:guest@{NOWHERE}/",
    }


@contextmanager
def running(api: Api) -> Generator[Api]:
    try:
        api.start()
        yield api
    finally:
        api.kill()


async def killed(
    folder: Path, kills: int, rng: np.random.Generator, mutant: str | None = None
) -> Outcome:
    settings, traffic = settings_for(folder), Traffic(users=CLIENTS)
    async with open_house(settings, Mind()) as house:
        secrets = await secrets_of(house.services)
        with running(Api(folder, mutant)) as api:
            async with asyncio.timeout(PATIENCE * (kills + 1)), asyncio.TaskGroup() as tasks:
                killing = tasks.create_task(kill(api, traffic, kills, rng))
                for _ in range(CLIENTS):
                    tasks.create_task(talk(api, traffic, secrets, killing))
        with crew(Job(settings, Mind()), 2) as workers:
            await finished(house, 60 + kills)
        verdict = await judged(house, traffic.acked)
    return Outcome(
        traffic.attempted,
        traffic.acknowledged,
        replace(verdict, damage=int(not intact(folder / DATABASE))),
        {"api_kills": kills},
        {"workers_failed": workers.failed},
    )


async def secrets_of(services: Services) -> dict[str, str]:
    """A key for each user."""
    names = [f"user{number}" for number in range(CLIENTS)]
    return {name: (await services.access.create(name, "chaos")).secret for name in names}


async def kill(api: Api, traffic: Traffic, kills: int, rng: np.random.Generator) -> None:
    """Each time in the midst of accepting."""
    with progress() as bar:
        for _ in bar.track(range(kills), description="kills of the server"):
            enough = traffic.acknowledged + int(rng.integers(3, 30))
            while traffic.acknowledged < enough:  # noqa: ASYNC110 - many clients move it
                await asyncio.sleep(0.002)
            await asyncio.sleep(float(rng.uniform(0, 0.02)))
            await asyncio.to_thread(api.kill)
            await asyncio.to_thread(api.start)


async def talk(
    api: Api, traffic: Traffic, secrets: dict[str, str], killing: asyncio.Task[None]
) -> None:
    async with httpx.AsyncClient(base_url=api.url, trust_env=False, timeout=10) as client:
        while not killing.done():
            await say(client, traffic, secrets)


async def say(client: httpx.AsyncClient, traffic: Traffic, secrets: dict[str, str]) -> None:
    """One turn, under the same idempotency key until it is acknowledged."""
    user, said, key = traffic.next()
    headers = {"Authorization": f"Bearer {secrets[user]}", "Idempotency-Key": key}
    body = {"messages": [{"role": one.role, "text": one.text} for one in said.messages]}
    while True:
        try:
            answer = await client.post("/v1/turns", headers=headers, json=body)
        except httpx.TransportError:
            await asyncio.sleep(AGAIN)
            continue
        if answer.is_success:
            return traffic.note(user, answer.json()["id"])
        if not answer.is_server_error:
            raise RuntimeError(f"the server refused a turn: {answer.status_code}")
        await asyncio.sleep(AGAIN)
