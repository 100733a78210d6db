"""Told to stop under load: it says so first, ends what is under way, and loses nothing it acked."""

import asyncio
import signal
import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from tests.story.server import PATIENCE, Serving, serving

WRITERS = 8


def said(text: str) -> dict[str, object]:
    return {"messages": [{"role": "user", "text": text}]}


async def write_until_gone(
    server: Serving, name: str, kept: list[str], many: asyncio.Event
) -> None:
    """Record turns one after the other; those that were acknowledged are noted."""
    headers = {"Authorization": f"Bearer {server.welcome['api_key']}"}
    async with httpx.AsyncClient(
        base_url=server.welcome["url"], headers=headers, trust_env=False, timeout=PATIENCE
    ) as client:
        for number in range(10_000):
            try:
                answer = await client.post("/v1/turns", json=said(f"{name} {number}"))
            except httpx.TransportError:
                return
            assert answer.status_code == 201
            kept.append(answer.json()["id"])
            if len(kept) >= 10 * WRITERS:
                many.set()


async def stop_amid(server: Serving, many: asyncio.Event) -> int:
    """Stop the server when a good many turns are acknowledged and more are under way."""
    await many.wait()
    server.process.send_signal(signal.SIGTERM)
    return await asyncio.to_thread(server.process.wait, PATIENCE)


async def test_what_was_acknowledged_before_the_end_is_there_after_it(tmp_path: Path) -> None:
    kept: list[str] = []
    many = asyncio.Event()
    with serving(tmp_path) as server:
        secret = server.welcome["api_key"]
        async with asyncio.TaskGroup() as tasks:
            for number in range(WRITERS):
                tasks.create_task(write_until_gone(server, f"writer {number}", kept, many))
            ended = tasks.create_task(stop_amid(server, many))
        assert ended.result() == 0

    with serving(tmp_path) as server:
        headers = {"Authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(
            base_url=server.welcome["url"], headers=headers, trust_env=False
        ) as ann:
            found = [(await ann.get(f"/v1/turns/{turn}")).status_code for turn in kept]

    assert len(kept) >= 10 * WRITERS
    assert set(found) == {200}


def test_it_says_that_it_leaves_and_goes_on_serving_until_then(tmp_path: Path) -> None:
    with serving(tmp_path, MEMWEAVER_SERVER__DRAIN="600") as server:
        secret = server.welcome["api_key"]
        assert server.ask("GET", "/ready").status_code == 200

        server.process.send_signal(signal.SIGTERM)
        while (answer := server.ask("GET", "/ready")).status_code == 200:
            pass

        assert answer.json() == {"ready": False, "code": "stopping"}
        assert server.ask("GET", "/health").status_code == 200
        assert server.ask("POST", "/v1/turns", secret, said("Hello")).status_code == 201
        assert server.stop() == 0


@contextmanager
def under_way(server: Serving) -> Generator[None]:
    """A request that the server has begun to answer, and whose body does not come."""
    url = httpx.URL(server.welcome["url"])
    with socket.create_connection((url.host, url.port), timeout=PATIENCE) as line:
        line.sendall(
            b"POST /v1/turns HTTP/1.1\r\nHost: %b\r\nAuthorization: Bearer %b\r\n"
            b"Content-Type: application/json\r\nContent-Length: 100\r\n"
            b"Expect: 100-continue\r\n\r\n" % (url.netloc, server.welcome["api_key"].encode())
        )
        assert line.recv(100).startswith(b"HTTP/1.1 100 ")
        yield


def tell_to_stop(server: Serving, number: signal.Signals) -> None:
    """Until it takes no more connections."""
    server.process.send_signal(number)
    with suppress(httpx.TransportError):
        while True:
            server.ask("GET", "/health")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_once_more_it_waits_for_no_answer_and_ends_in_order(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving(tmp_path) as server, under_way(server):
        tell_to_stop(server, number)
        assert server.stop(number) == 0
        assert server.process.stderr
        said = server.process.stderr.read()
    assert "told once more to stop; answers cut off: 1" in said
    assert "timeout graceful shutdown exceeded" not in said
    assert "Traceback" not in said
