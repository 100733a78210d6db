"""What is no event of a client's is refused calmly, and nobody comes or goes by it."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from tests.sockets.house import PATIENCE, House, a_house
from websockets.asyncio.client import ClientConnection, connect

from memweaver.domain.memory import Draft
from memweaver.domain.scope import Scope
from memweaver.interfaces.socketio import sockets

MESSAGE = "4"
"""How the layer below marks what is for sockets."""
OPEN = f"{MESSAGE}0"
ERROR = f"{MESSAGE}2"
ODD: dict[str, str | bytes] = {
    "nothing": MESSAGE,
    "no event": f"{MESSAGE}2",
    "an event without a name": f"{MESSAGE}2[]",
    "an event that is no list": f'{MESSAGE}2{{"join": 1}}',
    "half an event": f'{MESSAGE}2["join',
    "an event without a bottom": f"{MESSAGE}2" + "[" * 50_000,
    "no kind": f"{MESSAGE}x",
    "an unknown kind": f"{MESSAGE}9",
    "a refusal to connect": f'{MESSAGE}4{{"message": "no"}}',
    "an answer in bytes": f"{MESSAGE}61-1[]",
    "bytes": b"\x00\xff",
    "no bytes": b"",
    "more bytes than there are numbers for": f'{MESSAGE}599999999999-["join"]',
    "a placeholder out of place": f'{MESSAGE}51-[{{"_placeholder": true, "num": 7}}]',
}


async def told(socket: ClientConnection, start: str) -> Any:
    """What the next frame says that begins so."""
    while True:
        frame = str(await socket.recv())
        if frame.startswith(start):
            return json.loads(frame.removeprefix(start))


async def opened(house: House, socket: ClientConnection) -> None:
    await socket.send(OPEN + json.dumps({"api_key": await house.key("ann")}))
    await told(socket, OPEN)


def line(house: House) -> connect:
    address = house.url.replace("http", "ws")
    there = f"{address}/socket.io/?EIO=4&transport=websocket"
    return connect(there, proxy=None, open_timeout=PATIENCE)


@pytest.mark.requirement("B12")
@pytest.mark.parametrize("frame", ODD.values(), ids=ODD.keys())
async def test_a_packet_that_is_none_is_refused_and_the_next_one_is_heard(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, frame: str | bytes
) -> None:
    async with a_house(tmp_path, store={"kind": "memory"}) as house, line(house) as socket:
        await opened(house, socket)
        await socket.send(frame)
        name, refused = await told(socket, ERROR)
        assert (name, refused["code"], refused["field"]) == ("error", "invalid_input", "event")
        await socket.send(f'{MESSAGE}2["heartbeat"]')
        assert (await told(socket, ERROR))[0] == "heartbeat"
    assert [one for one in caplog.records if one.levelno >= logging.ERROR] == []


@pytest.mark.requirement("B14")
async def test_nobody_stays_after_their_key_by_sending_that_they_connect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "RECHECK", 0.05)
    async with a_house(tmp_path, store={"kind": "memory"}) as house:
        issued = await house.services.access.create("ann", "test")
        async with house.client({"api_key": issued.secret}) as client:
            await client.ask("join", {})
            await client.ask("connect", ({}, {"api_key": await house.key("bob")}))
            await house.services.access.revoke(issued.key.id)
            await house.services.curate.add(Scope("bob"), Draft("Bob likes tea."))
            await client.next("disconnect")
            await house.services.curate.add(Scope("ann"), Draft("Ann likes tea."))
            assert client.waiting() == []
