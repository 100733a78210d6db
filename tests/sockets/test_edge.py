"""The edge stands before sockets too: names, origins and headers, on the upgrade as well."""

from collections.abc import AsyncGenerator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from tests.sockets.house import PATIENCE, House, a_house
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from memweaver.app.edge import gate
from memweaver.app.house_sections import ServerSettings

LISTED, FOREIGN = "https://app.example", "https://evil.example"
OPENING = "/socket.io/?EIO=4&transport="


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    async with a_house(tmp_path, server=ServerSettings(origins=(LISTED,))) as opened:
        yield opened


async def test_an_old_protocol_is_told_in_our_own_log_and_as_no_error(
    house: House, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        answer = await client.get(f"{house.url}/socket.io/?EIO=3&transport=polling")

    assert answer.status_code == 400
    [line] = [one for one in caplog.records if "unsupported version" in one.getMessage()]
    assert line.name.startswith("memweaver.")
    assert line.levelname == "WARNING"
    assert "unsupported version" not in capfd.readouterr().err


async def polled(house: House, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        return await client.get(f"{house.url}{OPENING}polling", headers=headers)


async def upgraded(house: House, origin: str | None = None, host: str | None = None) -> str:
    """The first thing a socket hears. Raises `InvalidStatus` if it is turned away."""
    there = urlsplit(house.url)
    async with connect(
        f"ws://{host or there.netloc}{OPENING}websocket",
        host=there.hostname,
        port=there.port,
        origin=Origin(origin) if origin else None,
        proxy=None,
        open_timeout=PATIENCE,
    ) as socket:
        return str(await socket.recv())


async def refusal(house: House, **given: str) -> int:
    with pytest.raises(InvalidStatus) as refused:
        await upgraded(house, **given)
    return refused.value.response.status_code


@pytest.mark.requirement("B13")
@pytest.mark.parametrize(
    "origin", [FOREIGN, "null", f"{LISTED}.evil.example", "http://app.example"]
)
async def test_a_page_of_another_origin_cannot_open_a_socket(house: House, origin: str) -> None:
    assert (await polled(house, Origin=origin)).status_code == 403
    assert await refusal(house, origin=origin) == 403


async def test_a_listed_origin_our_own_and_programs_can(house: House) -> None:
    for origin in (LISTED, house.url, None):
        given = {"Origin": origin} if origin else {}
        answer = await polled(house, **given)
        assert (answer.status_code, answer.text[:1]) == (200, "0")
        allowed = answer.headers.get_list("access-control-allow-origin")
        assert allowed == ([LISTED] if origin == LISTED else [])
        assert (await upgraded(house, origin)).startswith("0")


async def test_a_socket_by_a_wrong_name_is_refused(house: House) -> None:
    assert (await polled(house, Host="evil.example")).status_code == 421
    assert await refusal(house, host="evil.example") == 403


async def test_answers_to_sockets_have_the_headers_of_all_others(house: House) -> None:
    answer = await polled(house)

    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["x-request-id"]


async def test_a_gate_that_lets_every_page_in_is_noticed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate.Gate, "_welcome", lambda *_: True)

    assert (await upgraded(house, FOREIGN)).startswith("0")
