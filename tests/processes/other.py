"""Another process on the same database: does what it reads on a line, and answers on a line.

Its arguments are the address of the database and the folder of the master key.
"""

import asyncio
import itertools
import json
import sys
from pathlib import Path

from memweaver.adapters.crypto import FileMasterKeys, open_cipher
from memweaver.adapters.http import open_courier
from memweaver.adapters.memory.events import LocalEvents
from memweaver.adapters.sql import open_sql, resealing, vault
from memweaver.adapters.system import SystemClock
from memweaver.domain.scope import Scope
from memweaver.errors import MemweaverError
from memweaver.ports.backend import Backend
from memweaver.ports.queue import Claim, Effects
from memweaver.services.cursors import Cursors
from memweaver.services.signing import Signing
from memweaver.services.webhooks import Webhooks
from memweaver.testing.conformance.backend import a_memory, a_turn, ended, later
from memweaver.testing.conformance.queue import names, next_claim

ANN = Scope("ann")
PATIENCE = 50
"""How often in a row nothing is to do before a worker leaves."""


async def record(backend: Backend, prefix: str, count: int) -> int:
    """Record one after another, as somebody who talks does."""
    for number in range(count):
        await backend.store.record([a_turn(f"{prefix}{number}")])
    return count


async def record_at_once(backend: Backend, prefix: str, count: int) -> int:
    turns = [a_turn(f"{prefix}{number}") for number in range(count)]
    await asyncio.gather(*(backend.store.record([turn]) for turn in turns))
    return count


async def record_aloud(backend: Backend) -> None:
    """Record until killed, telling the id of each turn once it is kept."""
    for number in itertools.count():
        [turn] = await backend.store.record([a_turn(f"told {number}")])
        say(turn.id)


async def read(backend: Backend, name: str) -> str:
    return (await backend.store.turn(ANN, name)).messages[0].text


async def read_many(backend: Backend, name: str, count: int) -> int:
    for _ in range(count):
        await read(backend, name)
    return count


async def stamp(backend: Backend) -> list[object] | None:
    found = await backend.changes.stamp("ann")
    return [found.epoch, found.version] if found else None


async def destroy(backend: Backend) -> None:
    await backend.vault.destroy("ann")


async def reseal(backend: Backend) -> int:
    return len(await ended(backend.vault.reseal("ann")))


async def rewrap(backend: Backend) -> int:
    return len(await ended(backend.vault.rewrap()))


async def rotate_slowly(backend: Backend) -> None:
    """Rotate row by row until killed, telling each step."""
    resealing.SOME = dict.fromkeys(resealing.SOME, 1)
    vault.SOME = 1
    while True:
        async for _ in backend.vault.reseal("ann"):
            say("step")
        async for _ in backend.vault.rewrap():
            say("step")


async def carry(backend: Backend) -> None:
    """Tell webhooks on this machine until killed."""
    async with open_courier(60, ["127.0.0.1"]) as courier:
        clock = SystemClock()
        cursors = Cursors(Signing(backend.secrets, clock))
        webhooks = Webhooks(
            backend.webhooks, courier, LocalEvents(), clock, cursors, attempts=3, timeout=60
        )
        await webhooks.run()


async def reflect_at_once(backend: Backend, workers: int) -> list[list[object]]:
    """Settle jobs until there are none for a while; tell of each claim whose, when and which."""
    told: list[list[object]] = []

    async def work() -> None:
        idle = 0
        while idle < PATIENCE:
            claim = await next_claim(backend, 60, batch=3)
            idle = idle + 1 if claim is None else 0
            if claim is None:
                await asyncio.sleep(0.02)
            else:
                added = await reflect(backend, claim)
                told.append([claim.scope.user, claim.fence, names(claim), added])

    await asyncio.gather(*(work() for _ in range(workers)))
    return told


async def reflect(backend: Backend, claim: Claim) -> int:
    """What every turn says is the same; how many memories came of it."""
    await backend.queue.heartbeat(claim, until=later(90))
    await backend.queue.stage(claim, "semantic", b"costly")
    memory = a_memory(f"of {claim.jobs[0].id}", scope=claim.scope)
    return len(await backend.queue.settle(claim, Effects([memory]), now=later(61)))


DEEDS = {
    deed.__name__: deed
    for deed in (
        record,
        record_at_once,
        reflect_at_once,
        record_aloud,
        carry,
        read,
        read_many,
        stamp,
        destroy,
        reseal,
        rewrap,
        rotate_slowly,
    )
}


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(url: str, folder: str) -> None:
    keys = FileMasterKeys(Path(folder) / "master.key")
    async with open_sql(url, open_cipher("aes-gcm"), keys) as backend:
        say("ready")
        while line := await asyncio.to_thread(sys.stdin.readline):
            name, *arguments = json.loads(line)
            try:
                answer: object = await DEEDS[name](backend, *arguments)
            except MemweaverError as error:
                answer = {"error": error.code}
            say(json.dumps(answer))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
