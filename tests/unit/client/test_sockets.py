"""The socket client when the server fails or refuses: it stays in its rooms, or is out of them."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
import socketio

from memweaver.client import sockets
from memweaver.client.sockets import AiSocketClient
from memweaver.errors import Forbidden, InvalidInput, MemweaverError, NotFound, Unauthenticated

TIMED_OUT = socketio.exceptions.TimeoutError()
GONE = socketio.exceptions.BadNamespaceError("/ is not a connected namespace.")
PATIENCE = 20


def joined(cursor: str) -> dict[str, Any]:
    return {"room": "hers", "cursor": cursor, "missed": False}


def refused(code: str) -> dict[str, Any]:
    return {"code": code, "message": "no"}


class Line:
    """Gives the `answers` in turn to whatever is asked, and keeps what that was."""

    def __init__(self, *answers: object) -> None:
        self._answers: Iterator[object] = iter(answers)
        self.asked: list[object] = []
        self.failed = asyncio.Event()

    async def call(self, _: str, asked: object, **__: object) -> object:
        self.asked.append(asked)
        answer = next(self._answers)
        if isinstance(answer, Exception):
            self.failed.set()
            raise answer
        return answer


def client_on(line: Line) -> AiSocketClient:
    client = AiSocketClient("http://server", "mw_key")
    client._io.call = line.call
    return client


async def connect_again(client: AiSocketClient) -> None:
    """Until it is in every room again, or out of it."""
    await client._connected()
    assert client._rejoining
    async with asyncio.timeout(PATIENCE):
        await asyncio.wait([client._rejoining])


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PAUSES", (0.0, 0.0))


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(TIMED_OUT, id="no answer"),
        pytest.param(refused("backend_unavailable"), id="no store"),
        pytest.param(refused("rate_limited"), id="too often"),
        pytest.param(refused("unauthenticated"), id="a server that closes"),
    ],
)
async def test_a_room_is_asked_for_until_it_is_joined_again(failure: object) -> None:
    line = Line(joined("5.1"), failure, failure, joined("5.1"))
    client = client_on(line)
    await client.join("hers")

    await connect_again(client)

    assert line.asked[1:] == [{"ai_uuid": "hers", "cursor": "5.1"}] * 3
    assert client.cursor("hers") == "5.1"


@pytest.mark.parametrize("code", ["not_found", "forbidden"])
async def test_a_room_that_is_closed_meanwhile_is_left(
    code: str, caplog: pytest.LogCaptureFixture
) -> None:
    line = Line(joined("5.1"), refused(code))
    client = client_on(line)
    await client.join("hers")

    await connect_again(client)
    await connect_again(client)

    assert client.cursor("hers") is None
    assert len(line.asked) == 2
    assert caplog.messages == [f"a room cannot be joined again: {code}"]


async def test_a_room_whose_cursor_is_good_no_longer_is_joined_anew() -> None:
    line = Line(joined("5.1"), refused("invalid_input"), joined("7.1"))
    client = client_on(line)
    await client.join("hers")

    await connect_again(client)

    assert line.asked[1:] == [{"ai_uuid": "hers", "cursor": one} for one in ("5.1", None)]
    assert (client.cursor("hers"), client.missed) == ("7.1", 1)


async def test_who_is_gone_again_asks_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "PAUSES", (3600.0, 3600.0))
    line = Line(joined("5.1"), TIMED_OUT, joined("5.1"))
    client = client_on(line)
    await client.join("hers")

    await client._connected()
    first = client._rejoining
    assert first
    await line.failed.wait()
    await client._gone()
    await connect_again(client)

    assert first.cancelled()


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (refused("not_found"), NotFound),
        (refused("forbidden"), Forbidden),
        (refused("unauthenticated"), Unauthenticated),
        (refused("invalid_input"), InvalidInput),
        (TIMED_OUT, socketio.exceptions.TimeoutError),
    ],
)
async def test_a_room_that_could_not_be_joined_is_none_of_its_rooms(
    answer: object, error: type[Exception]
) -> None:
    line = Line(answer)
    client = client_on(line)
    with pytest.raises(error):
        await client.join("hers", cursor="5.1")

    await connect_again(client)

    assert client.cursor("hers") is None
    assert len(line.asked) == 1


async def test_who_asks_in_vain_for_another_place_in_a_room_stays_where_it_was() -> None:
    client = client_on(Line(joined("5.1"), refused("rate_limited")))
    await client.join("hers")
    with pytest.raises(MemweaverError):
        await client.join("hers", cursor="3.1")
    assert client.cursor("hers") == "5.1"


async def test_a_sign_of_life_that_fails_is_not_the_last() -> None:
    client = AiSocketClient("http://server", "mw_key", heartbeat=0.0)
    given: asyncio.Queue[str] = asyncio.Queue()

    async def emit(name: str, _: object) -> None:
        given.put_nowait(name)
        raise GONE

    client._io.emit = emit
    client._back.set()
    beating = asyncio.get_running_loop().create_task(client._beat())
    async with asyncio.timeout(PATIENCE):
        assert [await given.get() for _ in range(3)] == ["heartbeat"] * 3
    beating.cancel()
    await asyncio.wait([beating])
