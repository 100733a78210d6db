"""The guard that keeps tests off the network lets nothing out."""

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from tests.architecture.project import ROOT
from tests.network import watch

ELSEWHERE = "192.0.2.1"
"""An address kept for documents; nobody has it."""


def test_an_address_elsewhere_is_refused() -> None:
    with socket.socket() as one, pytest.raises(ConnectionRefusedError):
        one.connect((ELSEWHERE, 80))
    assert forgiven_reaches() == [f"socket.connect ('{ELSEWHERE}', 80)"]


def test_a_datagram_elsewhere_is_refused() -> None:
    with (
        socket.socket(type=socket.SOCK_DGRAM) as one,
        pytest.raises(ConnectionRefusedError),
    ):
        one.sendto(b"hello", (ELSEWHERE, 53))
    assert forgiven_reaches()


def test_a_name_is_not_looked_up() -> None:
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("example.com", 80))
    assert forgiven_reaches() == ["socket.getaddrinfo example.com"]


async def test_an_event_loop_is_watched_too() -> None:
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(ELSEWHERE, 80)
    assert forgiven_reaches()


async def test_a_client_in_a_thread_is_watched_too() -> None:
    with pytest.raises(httpx.ConnectError):
        await asyncio.to_thread(httpx.get, f"http://{ELSEWHERE}/", trust_env=False)
    assert forgiven_reaches()


def test_this_machine_may_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
        socket.create_connection(("localhost", server.getsockname()[1])).close()
    assert watch.reached == []


@pytest.mark.parametrize(
    ("attempt", "result"),
    [
        ("socket.create_connection(('192.0.2.1', 80))", "1 failed, 1 error"),
        (
            "with contextlib.suppress(OSError): socket.create_connection(('192.0.2.1', 80))",
            "1 passed, 1 error",
        ),
        ("socket.create_server(('127.0.0.1', 0)).close()", "1 passed"),
    ],
)
def test_a_test_that_reaches_out_fails_even_if_it_swallows_the_refusal(
    tmp_path: Path, attempt: str, result: str
) -> None:
    reaching = tmp_path / "test_reaching.py"
    reaching.write_text(f"import contextlib, socket\n\ndef test_reaching():\n    {attempt}\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.network", "-c", "/dev/null"]
    ended = subprocess.run(
        [*command, "--rootdir", str(tmp_path), str(reaching)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert result in ended.stdout


def forgiven_reaches() -> list[str]:
    """What was tried in this test, and is no fault of it."""
    reached = list(watch.reached)
    watch.reached.clear()
    return reached
