"""Many clients at once, in rooms: every event must reach its room, and no other.

python -m tests.sockets.many [--clients 1000] [--emits 100000]

The last line is JSON; exit 1 is an event that went astray or was lost.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import warnings
from collections import Counter
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter

from rich.console import Console
from rich.progress import track
from tests.sockets.house import Client, House, a_house

from memweaver.domain.memory import Draft
from memweaver.domain.scope import Scope

AIS, EACH = 4, 5
"""Every user has so many AIs, each a room, and there are so many clients in each."""
KINDS = ("memory_update", "message")
"""What is emitted into every room in every round: by the server itself, and by a client."""
PATIENCE = 120
"""Seconds for everybody to hear of one round."""

Heard = Counter[tuple[str, str]]
Rooms = dict[Scope, list[Client]]


@dataclass
class Trial:
    clients: int
    rooms: int
    emits: int = 0
    deliveries: int = 0
    astray: int = 0
    lost: int = 0
    seconds_to_connect: float = 0.0
    seconds_to_tell: float = 0.0
    examples: list[str] = field(default_factory=list[str])

    def note(self, came: Heard, due: Heard) -> None:
        self.deliveries += came.total()
        self.astray += (came - due).total()
        self.lost += (due - came).total()
        self.examples += [str(one) for one in (came - due) if len(self.examples) < 10]


async def tried(folder: Path, *, users: int, rounds: int) -> Trial:
    async with AsyncExitStack() as stack:
        access, events = {"requests_per_minute": 0}, {"heartbeat": PATIENCE}
        opening = a_house(folder, store={"kind": "memory"}, access=access, events=events)
        house = await stack.enter_async_context(opening)
        began = perf_counter()
        rooms = await came(house, users, stack)
        connected = perf_counter()
        trial = Trial(
            users * AIS * EACH, len(rooms), seconds_to_connect=round(connected - began, 2)
        )
        for number in track(range(rounds), "emitting", console=Console(stderr=True)):
            due = await emitted(house, rooms, number)
            trial.emits += len(KINDS) * len(rooms)
            async with asyncio.timeout(PATIENCE):
                for scope, clients in rooms.items():
                    for client in clients:
                        trial.note(await heard(client, due[scope].total()), due[scope])
        for clients in rooms.values():
            for client in clients:
                await client.ask("heartbeat", {})
                trial.note(told(client), Heard())
        trial.seconds_to_tell = round(perf_counter() - connected, 2)
    return trial


async def came(house: House, users: int, stack: AsyncExitStack) -> Rooms:
    """Everybody, in the room where they belong."""
    rooms: Rooms = {}
    for user in range(users):
        auth = {"api_key": await house.key(f"user {user}")}
        for ai in range(AIS):
            scope = await house.ai(f"user {user}", f"ai {user} {ai}")
            entered = [stack.enter_async_context(house.client(auth)) for _ in range(EACH)]
            rooms[scope] = [await one for one in entered]
            for client in rooms[scope]:
                await client.ask("join", {"ai_uuid": scope.ai})
    return rooms


async def emitted(house: House, rooms: Rooms, number: int) -> dict[Scope, Heard]:
    """Something of each kind into every room; what is due in each."""
    due: dict[Scope, Heard] = {}
    for scope, clients in rooms.items():
        kept = await house.services.curate.add(scope, Draft(f"Tea {number}."))
        content = f"{number} {scope.ai}"
        await clients[0].io.emit("message", {"ai_uuid": scope.ai, "content": content})
        due[scope] = Heard([("memory_update", kept.id), ("message", content)])
    return due


async def heard(client: Client, count: int) -> Heard:
    """The next so many events that a client is told."""
    return Heard([named(*await client.next(*KINDS)) for _ in range(count)])


def told(client: Client) -> Heard:
    """What it was told beyond that."""
    return Heard([named(*one) for one in client.waiting() if one[0] in KINDS])


def named(name: str, payload: dict[str, str]) -> tuple[str, str]:
    return name, payload.get("memory_id") or payload["content"]


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.sockets.many")
    parser.add_argument("--clients", type=int, default=1000)
    parser.add_argument("--emits", type=int, default=100_000)
    chosen = parser.parse_args()
    users = max(1, chosen.clients // (AIS * EACH))
    rounds = max(1, chosen.emits // (users * AIS * len(KINDS)))
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        trial = asyncio.run(tried(Path(folder), users=users, rounds=rounds))
    sys.stdout.write(json.dumps(asdict(trial)) + "\n")
    sys.exit(1 if trial.astray or trial.lost else 0)


if __name__ == "__main__":
    main()
