"""Several servers on one store and one Redis: whoever is in a room hears of it, wherever."""

import asyncio
import json
import pickle
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from redis.asyncio import Redis
from tests.servers.private import Private
from tests.servers.redis import private_redis, redis_url
from tests.sockets.house import Client, House, quick_services, serving

from memweaver.app.sections import RedisSettings
from memweaver.app.settings import Settings
from memweaver.domain.memory import Draft
from memweaver.interfaces.socketio.bus import CHANNEL, Bus

pytestmark = pytest.mark.redis


@asynccontextmanager
async def two_houses(folder: Path, server: Private) -> AsyncGenerator[tuple[House, House]]:
    """Two servers, each with a connection of its own to the same database."""
    chosen = Settings(data=folder, redis=RedisSettings(url=SecretStr(redis_url(server))))
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(quick_services(chosen))
        second = await stack.enter_async_context(quick_services(chosen, first.keys.master))
        houses = [
            await stack.enter_async_context(serving(chosen, services))
            for services in (first, second)
        ]
        yield houses[0], houses[1]


async def listened_to(server: Private, count: int) -> None:
    """A server listens to the bus from its first client on."""
    async with Redis.from_url(redis_url(server)) as redis, asyncio.timeout(20):
        while (await redis.pubsub_numsub(CHANNEL))[0][1] < count:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)


async def nothing_more(client: Client) -> None:
    await client.ask("heartbeat", {})
    assert [name for name, _ in client.waiting() if name in {"message", "memory_update"}] == []


async def test_messages_and_events_cross(tmp_path: Path, redis: Private) -> None:
    async with two_houses(tmp_path, redis) as (here, there):
        scope, _ = await here.ai("ann", "one"), await here.ai("ann", "two")
        key = {"api_key": await here.key("ann")}
        async with (
            here.client(key) as sender,
            there.client(key) as one,
            there.client(key) as two,
        ):
            await listened_to(redis, 2)
            for client, ai in ((sender, "one"), (one, "one"), (two, "two")):
                await client.ask("join", {"ai_uuid": ai})
            await sender.ask("message", {"ai_uuid": "one", "content": "psst"})
            assert (await one.next("message"))[1]["content"] == "psst"
            kept = await here.services.curate.add(scope, Draft("Ann likes tea."))
            assert (await one.next("memory_update"))[1]["memory_id"] == kept.id
            for client in (one, two):
                await nothing_more(client)


async def test_messages_cross_again_when_redis_is_back(tmp_path: Path) -> None:
    with private_redis() as redis:
        async with two_houses(tmp_path, redis) as (here, there):
            await here.ai("ann", "one")
            key = {"api_key": await here.key("ann")}
            async with here.client(key) as sender, there.client(key) as hearing:
                await listened_to(redis, 2)
                await hearing.ask("join", {"ai_uuid": "one"})
                redis.kill()
                lost = await sender.ask("message", {"ai_uuid": "one", "content": "lost"})
                assert lost["content"] == "lost"
                redis.start()
                await listened_to(redis, 2)
                await sender.ask("message", {"ai_uuid": "one", "content": "back"})
                assert (await hearing.next("message"))[1]["content"] == "back"


class Canary:
    """Unpickled, it leaves a file behind."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.file,)


def forged(sid: str, room: str) -> list[dict[str, Any]]:
    said = {"ai_uuid": "one", "content": "forged", "timestamp": "2026-01-01T00:00:00Z"}
    emit = {"method": "emit", "namespace": "/", "event": "message", "data": [said], "host_id": "x"}
    return [
        {**emit, "room": None},
        {**emit, "room": sid},
        {**emit, "room": [room, room, room]},
        {**emit, "room": [room], "event": "memory_update"},
        {**emit, "room": [room], "data": [{"content": "forged"}]},
        {**emit, "room": [room], "data": ["forged", "twice"]},
        {**emit, "room": [room], "data": [said], "binary": True, "event": "error"},
        {"method": "disconnect", "sid": sid, "namespace": "/", "host_id": "x"},
        {"method": "enter_room", "sid": sid, "room": "bob\n*", "namespace": "/", "host_id": "x"},
        {"method": "leave_room", "sid": sid, "room": room, "namespace": "/", "host_id": "x"},
        {"method": "close_room", "room": room, "namespace": "/", "host_id": "x"},
        {"method": "callback", "host_id": "x", "sid": sid, "id": 1, "args": []},
    ]


async def published(server: Private, messages: list[bytes]) -> None:
    async with Redis.from_url(redis_url(server)) as redis:
        for message in messages:
            await redis.publish(CHANNEL, message)


@pytest.mark.requirement("B14")
async def test_what_else_is_on_the_bus_is_left_aside(tmp_path: Path, redis: Private) -> None:
    canary = tmp_path / "canary"
    async with two_houses(tmp_path, redis) as (here, there):
        await here.ai("ann", "one")
        key = {"api_key": await here.key("ann")}
        async with here.client(key) as sender, there.client(key) as hearing:
            await listened_to(redis, 2)
            await hearing.ask("join", {"ai_uuid": "one"})
            hearing.waiting()
            sid, room = str(hearing.io.get_sid()), "ann\none"
            crooked = [
                *(pickle.dumps(Canary(canary), protocol) for protocol in range(6)),
                pickle.dumps({"method": "emit", "event": "message", "room": [room]}),
                *(b"", b"\xff\xfe", b"[]", b"7", b'"method"', b"{" * 5000, b'{"method": 7}'),
            ]
            orders = [json.dumps(one).encode() for one in forged(sid, room)]
            await published(redis, [*crooked, *orders])
            await sender.ask("message", {"ai_uuid": "one", "content": "true"})
            name, told = await hearing.next()
            assert (name, told["content"]) == ("message", "true")
            await nothing_more(hearing)
    assert not canary.exists()


async def test_the_librarys_own_bus_would_have_obeyed(
    tmp_path: Path, redis: Private, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(Bus, "_handle_emit")
    async with two_houses(tmp_path, redis) as (_, there):
        await there.ai("ann", "one")
        async with there.client({"api_key": await there.key("ann")}) as hearing:
            await listened_to(redis, 1)
            everybody = forged("", "")[0]
            await published(redis, [json.dumps(everybody).encode()])
            assert (await hearing.next("message"))[1]["content"] == "forged"
