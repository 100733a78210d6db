"""What surrounds every request: its id, the names it comes by, what browsers are told."""

import json
import logging
import re
from base64 import b64encode
from hashlib import sha256

import pytest
from fastapi import FastAPI
from fastapi.responses import StreamingResponse
from fastapi.testclient import TestClient
from fastapi.websockets import WebSocket
from starlette.websockets import WebSocketDisconnect
from tests.wire.house import HERE, House, Visitor

from memweaver.app.edge import around
from memweaver.app.edge.body import deeper
from memweaver.app.edge.headers import SECURE
from memweaver.app.house_sections import ServerSettings
from memweaver.app.logging import configure_logging
from memweaver.app.sections import LogSettings
from memweaver.interfaces.rest.errors import exception_handlers

FRIEND = "https://friend.example"


def little_server(settings: ServerSettings) -> TestClient:
    """Two routes of its own behind the real edge."""
    server = FastAPI(exception_handlers=dict(exception_handlers), middleware=around(settings))

    @server.post("/x")
    async def said(body: dict[str, object]) -> dict[str, object]:
        logging.getLogger("inside").info("said")
        return body

    @server.get("/pieces")
    async def pieces() -> StreamingResponse:
        return StreamingResponse(iter(["one ", "two ", "three"]))

    @server.websocket("/socket")
    async def socket(connection: WebSocket) -> None:
        await connection.accept()
        await connection.send_text(await connection.receive_text())

    return TestClient(server, base_url=HERE)


@pytest.fixture
def client() -> TestClient:
    return little_server(ServerSettings(hosts=("memory.example",), origins=(FRIEND,)))


@pytest.mark.parametrize("given", ["7", "0af7651916cd43dd8448eb211c80319c", "a.b_c-D"])
def test_a_plain_request_id_is_kept(client: TestClient, given: str) -> None:
    assert client.get("/pieces", headers={"X-Request-Id": given}).headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "a b", "a\tb", '{"a": 1}', "x" * 65, "\xe9"])
def test_any_other_gets_one_of_ours(client: TestClient, given: str) -> None:
    headers = {b"X-Request-Id": given.encode("latin-1")}
    made = {client.get("/pieces", headers=headers).headers["x-request-id"] for _ in range(2)}

    assert len(made) == 2
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in made)


def test_every_line_of_a_request_has_its_id(
    client: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    before = root.handlers, root.level
    try:
        configure_logging(LogSettings(format="json"))
        client.post("/x", json={}, headers={"X-Request-Id": "seven"})
        logging.getLogger("outside").info("later")
    finally:
        root.handlers, root.level = before

    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert {line["event"]: line.get("request") for line in lines} == {
        "said": "seven",
        "request": "seven",
        "later": None,
    }


def test_every_answer_tells_browsers_to_keep_their_hands_off(
    house: House, visitor: Visitor
) -> None:
    answers = [
        house.client.get("/health"),
        house.client.get("/v1/turns"),
        house.client.get("/nothing"),
        house.client.get("/health", headers={"Host": "elsewhere.example"}),
        visitor.ask("POST /v1/turns", {}),
        house.admin().ask("GET /metrics"),
    ]
    assert [answer.status_code for answer in answers] == [200, 401, 404, 421, 400, 200]
    for answer in answers:
        assert {name.decode(): value.decode() for name, value in SECURE}.items() <= {
            **answer.headers
        }.items()
        assert answer.headers["x-request-id"]


def test_the_documentation_may_run_its_own_scripts_and_no_others(house: House) -> None:
    page = house.client.get("/docs")
    policy = page.headers["content-security-policy"]
    scripts = re.findall(r"<script>(.*?)</script>", page.text, re.DOTALL)

    assert scripts
    for script in scripts:
        assert b64encode(sha256(script.encode()).digest()).decode() in policy
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy.split("script-src")[1]
    assert len(page.headers.get_list("content-security-policy")) == 1


def test_an_answer_in_pieces_stays_in_pieces(client: TestClient) -> None:
    answer = client.get("/pieces")

    assert answer.text == "one two three"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8765", "127.0.0.1", "[::1]:8765", "memory.example:443"]
)
def test_a_server_answers_to_its_names(client: TestClient, host: str) -> None:
    assert client.get("/pieces", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        *("", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.0.2.7"),
        *("memory.example.evil.example", "xmemory.example", "[::2]", "evil.example:localhost"),
    ],
)
def test_and_to_no_others(client: TestClient, host: str) -> None:
    answer = client.get("/pieces", headers={"Host": host})

    assert answer.status_code == 421
    assert "MEMWEAVER_SERVER__HOSTS" in answer.json()["error"]["message"]


def test_a_server_on_every_address_answers_to_addresses_but_not_to_names() -> None:
    client = little_server(ServerSettings(host="0.0.0.0"))

    assert client.get("/pieces", headers={"Host": "192.0.2.7:8765"}).status_code == 200
    assert client.get("/pieces", headers={"Host": "[2001:db8::1]"}).status_code == 200
    assert client.get("/pieces", headers={"Host": "rebound.example"}).status_code == 421


@pytest.mark.parametrize("origin", ["null", "https://evil.example", "http://localhost:1", "x"])
def test_pages_of_other_origins_may_not_call(client: TestClient, origin: str) -> None:
    answer = client.post("/x", json={}, headers={"Origin": origin})

    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("ws://localhost/socket", headers={"Origin": origin}),
    ):
        pass


@pytest.mark.parametrize("origin", [HERE, FRIEND, None])
def test_pages_of_ours_of_the_named_ones_and_programs_may(
    client: TestClient, origin: str | None
) -> None:
    headers = {"Origin": origin} if origin else {}

    assert client.post("/x", json={}, headers=headers).status_code == 200
    with client.websocket_connect("ws://localhost/socket", headers=headers) as socket:
        socket.send_text("hello")
        assert socket.receive_text() == "hello"


def test_a_named_origin_may_read_answers_and_nobody_by_default(client: TestClient) -> None:
    asking = {"Origin": FRIEND, "Access-Control-Request-Method": "POST"}

    answer = client.options("/x", headers=asking)
    assert answer.headers["access-control-allow-origin"] == FRIEND
    assert "access-control-allow-credentials" not in answer.headers
    shown = client.get("/x", headers={"Origin": FRIEND}).headers["access-control-expose-headers"]
    assert {"ETag", "Location"} <= set(shown.split(", "))
    assert little_server(ServerSettings()).options("/x", headers=asking).status_code == 403


@pytest.mark.parametrize("name", ["evil.example", "192.0.2.7"])
def test_a_socket_by_a_wrong_name_is_refused(client: TestClient, name: str) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect("ws://localhost/socket", headers={"Host": name}),
    ):
        pass


def nested(levels: int) -> bytes:
    return b'{"a":' * levels + b"1" + b"}" * levels


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (nested(32), 200),
        (nested(33), 400),
        (b'{"a": [' + b"[]," * 5000 + b"[]]}", 200),
        (b'{"a": "' + b"[" * 5000 + b'"}', 200),
        (b'{"a": "\\"' + b"[" * 5000 + b'"}', 200),
        (b'{"a": "\\\\"' + b"[" * 5000 + b"}", 400),
        (b'{"a": ' + b"[" * 500_000 + b"}", 400),
        (b'"' + b'\\"' * 250_000, 400),
        (b"[{" * 50 + b"}]" * 50, 400),
        (b"[}" * 50, 400),
    ],
    ids=lambda one: repr(one)[:24],
)
def test_depth_is_limited_before_anything_is_parsed(
    client: TestClient, body: bytes, status: int
) -> None:
    answer = client.post("/x", content=body, headers={"Content-Type": "application/json"})

    assert answer.status_code == status
    if status == 400:
        assert answer.json()["error"]["code"] == "invalid_input"


def test_depth_counts_levels_not_brackets() -> None:
    assert not deeper(nested(3), 3)
    assert deeper(nested(4), 3)
    assert deeper(b"]]", 3)
    assert not deeper(b'"[[[[[', 3)


def test_only_the_chat_may_be_larger() -> None:
    client = little_server(ServerSettings(body=100, chat_body=1000))
    client.app.add_api_route(  # type: ignore[attr-defined] # it is a FastAPI
        "/v1/chat/completions", lambda: "ok", methods=["POST"]
    )
    body = {"a": "x" * 500}

    assert client.post("/x", json=body).status_code == 413
    assert client.post("/v1/chat/completions", json=body).status_code == 200


@pytest.mark.requirement("D11")
def test_requests_are_counted_by_route_not_by_what_callers_make_up(
    house: House,
    visitor: Visitor,
) -> None:
    visitor.ask("GET /v1/turns/heron-1")
    visitor.ask("GET /heron/2")
    visitor.ask("HERON /v1/turns")

    page = house.admin().ask("GET /metrics").text
    assert 'memweaver_requests_seconds_count{method="GET",route="/v1/turns/{turn_id}"' in page
    assert 'method="other",route=' in page
    assert "heron" not in page.lower()
    assert "memweaver_requests_under_way 1.0" in page
