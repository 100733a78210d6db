"""A server that is dawdled at, or thrown large things at: it answers others, and stays small."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import psutil
import pytest
from tests.story.server import Serving, serving

MANY = 1000
QUICK = {"MEMWEAVER_SERVER__PATIENCE": "0.5"}
MEGABYTE = 1 << 20


def place(server: Serving) -> tuple[str, int]:
    url = httpx.URL(server.welcome["url"])
    assert url.port
    return url.host, url.port


def resident(server: Serving) -> int:
    return int(psutil.Process(server.process.pid).memory_info().rss)


@asynccontextmanager
async def dawdling(
    server: Serving, many: int, begun: bytes
) -> AsyncGenerator[list[asyncio.StreamReader]]:
    """So many connections that have begun a request and do not go on."""
    pairs = [await asyncio.open_connection(*place(server)) for _ in range(many)]
    for _, writer in pairs:
        writer.write(begun)
    try:
        yield [reader for reader, _ in pairs]
    finally:
        for _, writer in pairs:
            writer.close()


HALF_A_REQUEST = {
    "headers": b"POST /v1/turns HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "nothing": b"",
    "a body": b"POST /v1/turns HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
    b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
}


@pytest.mark.parametrize("kind", HALF_A_REQUEST)
async def test_who_dawdles_is_let_go(kind: str, tmp_path: Path) -> None:
    with serving(tmp_path, **QUICK) as server:
        begun = HALF_A_REQUEST[kind].replace(b"%s", server.welcome["api_key"].encode())
        async with dawdling(server, 3, begun) as readers:
            answers = [await asyncio.wait_for(reader.read(), 30) for reader in readers]

    for answer in answers:
        assert answer.startswith(b"HTTP/1.1 408 ") if kind == "a body" else answer == b""


@pytest.mark.parametrize("kind", ["headers", "a body"])
async def test_a_thousand_who_dawdle_keep_nobody_out(kind: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        secret = server.welcome["api_key"]
        assert server.ask("GET", "/v1/turns", secret).status_code == 200
        before = resident(server)
        begun = HALF_A_REQUEST[kind].replace(b"%s", secret.encode())
        async with dawdling(server, MANY, begun):
            for _ in range(5):
                answer = await asyncio.to_thread(server.ask, "GET", "/v1/turns", secret)
                assert answer.status_code == 200
            grown = resident(server) - before

    assert grown < 100 * MEGABYTE


def test_what_is_too_large_or_too_many_is_refused_and_costs_little(tmp_path: Path) -> None:
    said = {"messages": [{"role": "user", "text": "Hello"}]}
    bodies: list[tuple[str, object, int]] = [
        ("/v1/turns", {**said, "metadata": {"a": "x" * MEGABYTE}}, 413),
        ("/v1/turns", {**said, "metadata": {str(n): n for n in range(60_000)}}, 413),
        ("/v1/turns", {**said, **{f"field{n}": n for n in range(40_000)}}, 400),
        ("/v1/recall", {"query": "x", "tiers": ["core"] * 10_000}, 200),
        ("/v1/recall", {"query": "x", **{f"filter{n}": n for n in range(10_000)}}, 400),
        ("/v1/recall", {"query": "(a+)+$" * 2_000}, 200),
    ]
    with serving(tmp_path) as server:
        secret = server.welcome["api_key"]
        server.ask("POST", "/v1/recall", secret, {"query": "warm"})
        before = resident(server)
        for path, body, status in bodies:
            answer = server.ask("POST", path, secret, body)
            assert answer.status_code == status, (path, answer.text[:200])
            assert len(answer.content) < 10_000
        query = "&".join(f"tier=core&q{n}=1" for n in range(1500))
        assert server.ask("GET", f"/v1/memories?{query}", secret).status_code == 400
        grown = resident(server) - before

    assert grown < 100 * MEGABYTE


def test_a_body_without_an_end_is_refused_at_the_limit(tmp_path: Path) -> None:
    with serving(tmp_path) as server, socket.create_connection(place(server)) as connection:
        head = (
            "POST /v1/turns HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
            f"Authorization: Bearer {server.welcome['api_key']}\r\n"
            "Content-Type: application/json\r\n\r\n"
        )
        connection.sendall(head.encode())
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        sent = 0
        try:
            while sent < 64 * MEGABYTE:
                connection.sendall(piece)
                sent += len(piece)
        except OSError:
            pass
        assert sent < 64 * MEGABYTE
        assert json.loads(server.ask("GET", "/ready").text)["ready"]
