"""Five hundred clients at once: every event reaches its room, and no other."""

import asyncio
import json
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from time import perf_counter

import pytest
from tests.sockets.house import Client, House, a_house

from memweaver.domain.memory import Draft
from memweaver.domain.scope import Scope

USERS, AIS, EACH = 25, 4, 5
"""Rooms are users times AIs, and there are so many clients in each."""
ROUNDS = 4


async def came(house: House, stack: AsyncExitStack) -> dict[Scope, list[Client]]:
    """Everybody, in the room where they belong."""
    rooms: dict[Scope, list[Client]] = {}
    for user in range(USERS):
        auth = {"api_key": await house.key(f"user {user}")}
        for ai in range(AIS):
            scope = await house.ai(f"user {user}", f"ai {user} {ai}")
            entered = [stack.enter_async_context(house.client(auth)) for _ in range(EACH)]
            rooms[scope] = [await one for one in entered]
            for client in rooms[scope]:
                await client.ask("join", {"ai_uuid": scope.ai})
    return rooms


async def heard(client: Client, count: int) -> Counter[tuple[str, str]]:
    """What a client was told, once all of it must have come."""
    told = [await client.next("memory_update", "message") for _ in range(count)]
    await client.ask("heartbeat", {})
    told += [one for one in client.waiting() if one[0] in {"memory_update", "message"}]
    return Counter((name, payload.get("memory_id") or payload["content"]) for name, payload in told)


@pytest.mark.requirement("B14")
async def test_every_event_reaches_its_room_and_no_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(a_house(tmp_path, store={"kind": "memory"}))
        began = perf_counter()
        rooms = await came(house, stack)
        connected = perf_counter()
        due: dict[Scope, Counter[tuple[str, str]]] = {scope: Counter() for scope in rooms}
        for number in range(ROUNDS):
            for scope, clients in rooms.items():
                kept = await house.services.curate.add(scope, Draft(f"Tea {number}."))
                due[scope]["memory_update", kept.id] += 1
                said = {"ai_uuid": scope.ai, "content": f"{number} {scope.ai}"}
                await clients[0].io.emit("message", said)
                due[scope]["message", f"{number} {scope.ai}"] += 1
        astray, lost, delivered = Counter[tuple[str, str]](), Counter[tuple[str, str]](), 0
        async with asyncio.timeout(60):
            for scope, clients in rooms.items():
                for client in clients:
                    came_here = await heard(client, 2 * ROUNDS)
                    delivered += came_here.total()
                    astray += came_here - due[scope]
                    lost += due[scope] - came_here
        told = perf_counter()
    everybody = USERS * AIS * EACH
    figures = {
        "clients": everybody,
        "deliveries": delivered,
        "astray": astray.total(),
        "lost": lost.total(),
        "seconds to connect": round(connected - began, 2),
        "seconds to tell": round(told - connected, 2),
    }
    with capsys.disabled():
        print(json.dumps(figures))  # noqa: T201 - the one line to read
    assert (astray, lost, delivered) == (Counter(), Counter(), everybody * 2 * ROUNDS)
