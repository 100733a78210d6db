"""Connections that are not read, or that nobody is behind: they cost little and hold up nobody."""

import asyncio
import json
import socket
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.sockets.house import PATIENCE, Client, House, a_house
from websockets.asyncio.client import ClientConnection, connect

from memweaver.domain.memory import Draft
from memweaver.domain.scope import Scope
from memweaver.interfaces.socketio import lines, sockets
from memweaver.interfaces.socketio.lines import Outbox

QUICK = {"store": {"kind": "memory"}}
LARGE = "x" * 60_000


def raw(house: House) -> connect:
    """A connection that takes little before it is read, and reads no more than a frame ahead."""
    own = socket.socket()
    own.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    own.connect(("127.0.0.1", int(house.url.rpartition(":")[2])))
    address = house.url.replace("http", "ws") + "/socket.io/?EIO=4&transport=websocket"
    return connect(address, sock=own, max_queue=1, compression=None, proxy=None, close_timeout=0.1)


async def joined(connection: ClientConnection, key: str, ai: str) -> None:
    await connection.recv()
    await connection.send("40" + json.dumps({"api_key": key}))
    await connection.recv()
    await connection.send("42" + json.dumps(["join", {"ai_uuid": ai}]))
    await connection.recv()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - nothing tells when
            await asyncio.sleep(0.01)


@pytest.fixture
def outboxes(monkeypatch: pytest.MonkeyPatch) -> list[Outbox]:
    """Every outbox that there is."""
    made: list[Outbox] = []

    class Noted(Outbox):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    monkeypatch.setattr(lines, "Outbox", Noted)
    return made


async def flooded(house: House, key: str, count: int, hearing: Client) -> None:
    """Have everybody in the room told much, and see that who reads hears it all."""
    async with house.client({"api_key": key}) as sender:
        for number in range(count):
            said = {"ai_uuid": "hers", "content": f"{number} {LARGE}"}
            assert "timestamp" in await sender.ask("message", said)
            _, told = await hearing.next("message")
            assert told["content"].startswith(f"{number} ")


@pytest.mark.requirement("B14")
async def test_who_never_reads_is_sent_away_and_holds_up_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outboxes: list[Outbox]
) -> None:
    monkeypatch.setattr(lines, "LARGEST", 300_000)
    monkeypatch.setattr(sockets, "RECHECK", 0.1)
    async with a_house(tmp_path, **QUICK) as house:
        key, scope = await house.key("ann"), await house.ai("ann", "hers")
        async with house.client({"api_key": key}) as hearing, raw(house) as silent:
            await hearing.ask("join", {"ai_uuid": "hers"})
            await joined(silent, key, "hers")
            slow = outboxes[-1]
            await flooded(house, key, 60, hearing)
            assert slow.size <= 300_000
            await until(lambda: slow.overrun and not slow.size)
            kept = await house.services.curate.add(scope, Draft("Ann likes tea."))
            assert (await hearing.next("memory_update"))[1]["memory_id"] == kept.id
            assert not slow.size


async def test_events_wait_in_the_log_for_who_reads_slowly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outboxes: list[Outbox]
) -> None:
    monkeypatch.setattr(lines, "CALM", 5)
    async with a_house(tmp_path, **QUICK) as house:
        key, scope = await house.key("ann"), await house.ai("ann", "hers")
        start = await house.cursor(scope, 0, datetime.now(UTC))
        first = [await a_memory(house, scope, number) for number in range(300)]
        async with house.client({"api_key": key}) as hearing:
            await hearing.ask("join", {"ai_uuid": "hers", "cursor": start})
            then = [await a_memory(house, scope, number) for number in range(300)]
            told = [await hearing.next("memory_update") for _ in range(600)]
    assert [payload["memory_id"] for _, payload in told] == first + then
    assert not outboxes[-1].overrun


async def a_memory(house: House, scope: Scope, number: int) -> str:
    return (await house.services.curate.add(scope, Draft(f"Tea {number}."))).id


@pytest.mark.requirement("B14")
@pytest.mark.parametrize("says", ["nothing", "hello", "a wrong key", "goodbye"])
async def test_a_connection_without_anybody_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str
) -> None:
    """Also one whose socket was sent away, and which stays nevertheless."""
    monkeypatch.setattr(sockets, "RECHECK", 0.05)
    monkeypatch.setattr(sockets, "PATIENCE", 0.2)
    async with a_house(tmp_path, **QUICK) as house, raw(house) as connection:
        await connection.recv()
        match says:
            case "hello":
                await connection.send("40")
            case "a wrong key":
                await connection.send("40" + json.dumps({"api_key": "mw_guessed"}))
            case "goodbye":
                await connection.send("40" + json.dumps({"api_key": await house.key("ann")}))
                await connection.recv()
                await connection.send("41")
        async with asyncio.timeout(PATIENCE):
            async for _ in connection:
                pass
        assert connection.close_code is not None


async def test_what_does_not_fit_is_lost_with_all_that_follows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Packet:
        data = "12345"

    monkeypatch.setattr(lines, "MOST", 2)
    box = Outbox()
    for _ in range(3):
        await box.put(Packet())
    assert (box.qsize(), box.size, box.overrun) == (2, 10, True)
    await box.get()
    await box.put(Packet())
    assert (box.qsize(), box.size) == (1, 5)
    await box.put(None)
    assert box.qsize() == 2
    box.abandon()
    assert (box.qsize(), box.size) == (0, 0)
