"""The client class: it hears everything once, whatever happens to its connection."""

import asyncio
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.sockets.house import PATIENCE, House, a_house

from memweaver.ai_socket_client import AiSocketClient
from memweaver.client import sockets, verified
from memweaver.domain.event import Cursor
from memweaver.domain.memory import Draft
from memweaver.domain.scope import Scope
from memweaver.domain.webhook import signature
from memweaver.errors import BackendUnavailable, NotFound, Unauthenticated
from memweaver.services.listen import Listen, Start

LONG_AGO = datetime.fromtimestamp(1, UTC)


async def add(house: House, scope: Scope, count: int) -> list[str]:
    made = [await house.services.curate.add(scope, Draft(f"Tea {n}.")) for n in range(count)]
    return [one.id for one in made]


async def some(client: AiSocketClient, count: int) -> list[str]:
    heard: list[str] = []
    async with asyncio.timeout(PATIENCE):
        async for name, payload in client.events():
            heard += [payload["memory_id"]] if name == "memory_update" else []
            if len(heard) == count:
                break
    return heard


@pytest.mark.requirement("B15")
async def test_after_a_broken_connection_nothing_is_missing_and_nothing_doubled(
    tmp_path: Path,
) -> None:
    async with a_house(tmp_path) as house:
        key, scope = await house.key("ann"), await house.ai("ann", "hers")
        async with AiSocketClient(house.url, key, heartbeat=0.05) as client:
            assert await client.join("hers") == "hers"
            assert await client.join() == "*"
            before = await add(house, scope, 3)
            assert await some(client, 3) == before
            for _ in range(3):
                await client._io.eio.ws.close()
                meanwhile = await add(house, scope, 5)
                assert await some(client, 5) == meanwhile
            assert client.missed == 0
            assert client._heard.empty()


async def test_who_is_in_the_room_of_all_too_misses_nothing_of_other_ais(tmp_path: Path) -> None:
    async with a_house(tmp_path) as house:
        key, hers = await house.key("ann"), await house.ai("ann", "hers")
        others = await house.ai("ann", "another of hers")
        async with AiSocketClient(house.url, key) as client:
            await client.join("hers")
            await client.join()
            before = await add(house, hers, 1)
            assert await some(client, 1) == before
            await client._io.eio.ws.close()
            meanwhile = await add(house, others, 2) + await add(house, hers, 2)
            assert await some(client, 4) == meanwhile


async def test_a_store_that_is_away_when_the_connection_is_back_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "PAUSES", (0.01, 0.01))
    away, start = [BackendUnavailable("away")] * 2, Listen.start

    async def starting(listen: Listen, user: str, cursor: Cursor | None = None) -> Start:
        if away:
            raise away.pop()
        return await start(listen, user, cursor)

    async with a_house(tmp_path) as house:
        key, scope = await house.key("ann"), await house.ai("ann", "hers")
        async with AiSocketClient(house.url, key) as client:
            await client.join("hers")
            monkeypatch.setattr(Listen, "start", starting)
            await client._io.eio.ws.close()
            meanwhile = await add(house, scope, 5)
            assert await some(client, 5) == meanwhile
    assert not away


async def test_a_callback_hears_too_and_a_cursor_outlives_the_client(tmp_path: Path) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def note(_: str, payload: object) -> None:
        assert isinstance(payload, dict)
        heard.put_nowait(payload["memory_id"])

    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        key, scope = await house.key("ann"), await house.ai("ann", "hers")
        async with AiSocketClient(house.url, key, on_event=note) as client:
            await client.join("hers")
            [first] = await add(house, scope, 1)
            assert await heard.get() == first
            cursor = client.cursor("hers")
        missed = await add(house, scope, 2)
        async with AiSocketClient(house.url, key, on_event=note) as client:
            await client.join("hers", cursor=cursor)
            assert [await heard.get() for _ in missed] == missed
            await client.join("hers", cursor=await house.cursor(scope, 1, LONG_AGO))
            assert client.missed == 1
            await client.leave("hers")


async def test_who_leaves_while_the_server_is_away_does_not_come_back(tmp_path: Path) -> None:
    async with AsyncExitStack() as leaving:
        async with a_house(tmp_path, store={"kind": "memory"}) as house:
            client = AiSocketClient(house.url, await house.key("ann"))
            await leaving.enter_async_context(client)
        async with asyncio.timeout(PATIENCE):
            while (coming_back := client._io._reconnect_task) is None:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
    assert coming_back.done()
    assert not client._io.connected


async def test_what_the_server_refuses_is_raised(tmp_path: Path) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        with pytest.raises(Unauthenticated):
            async with AiSocketClient(house.url, "mw_guessed"):
                pass
        async with AiSocketClient(house.url, await house.key("ann")) as client:
            with pytest.raises(NotFound):
                await client.join("nobody's")
            with pytest.raises(NotFound):
                await client.send("nobody's", "psst")


def test_a_receiver_knows_what_is_ours() -> None:
    header = signature("secret", 1_000_000, b"{}")
    assert verified("secret", header, b"{}", now=1_000_100.0)
    for secret, sent, body, now in (
        ("other", header, b"{}", 1_000_000),
        ("secret", header, b"{ }", 1_000_000),
        ("secret", header.replace("t=1", "t=2"), b"{}", 1_000_000),
        ("secret", header, b"{}", 1_000_301),
        ("secret", "", b"{}", 1_000_000),
        ("secret", "t=9,v1=é", b"{}", 1_000_000),
    ):
        with pytest.raises(Unauthenticated):
            verified(secret, sent, body, now=now)
