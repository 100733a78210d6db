"""`memweaver serve`, as a process: it starts, shows its key once, answers, and stops when told."""

import signal
import socket
import sys
from pathlib import Path

import pytest
from tests.story.server import PATIENCE, serving, started

TURN = {"messages": [{"role": "user", "text": "My sister Ada moved to Lisbon."}]}


def test_the_first_start_shows_a_key_and_later_ones_do_not(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        secret = server.welcome["api_key"]
        assert server.ask("POST", "/v1/turns", secret, TURN).status_code == 201
        assert server.stop() == 0
        assert server.process.stderr
        assert secret not in server.process.stderr.read()

    with serving(tmp_path) as server:
        assert server.welcome["api_key"] is None
        answer = server.ask("POST", "/v1/recall", secret, {"query": "Where is Ada?"})
        found = [hit["text"] for hit in answer.json()["hits"]]
        assert "My sister Ada moved to Lisbon." in found
        assert server.ask("GET", "/health").json()["status"] == "ok"
        for path in ("/health", "/ready"):
            asked = server.ask("HEAD", path)
            assert (asked.status_code, asked.content) == (200, b"")
            assert asked.headers["content-type"] == "application/json"
        assert server.ask("GET", "/v1/turns").status_code == 401
        assert server.stop(signal.SIGINT) == 0

    assert (tmp_path / "memweaver-data" / "master.key").stat().st_mode & 0o777 == 0o600
    assert secret.encode() not in b"".join(
        file.read_bytes() for file in (tmp_path / "memweaver-data").iterdir()
    )


def test_a_person_is_told_where_everything_is(tmp_path: Path) -> None:
    with started(tmp_path) as process:
        assert process.stdout
        said = ""
        for line in process.stdout:
            said += line
            if "add-admin" in line:
                break
        process.terminate()
        said += process.communicate(timeout=PATIENCE)[0]
        assert process.returncode == 0

    assert "is listening on http://127.0.0.1:" in said
    assert str(tmp_path / "memweaver-data") in said
    assert "master.key" in said
    assert "/docs" in said
    assert "shown only this once" in said
    assert "curl" in said
    assert "ADMIN_EMAIL" in said
    assert "/signup" in said


TOLD_IN_MID_START = """
import logging, signal
from memweaver.cli import main, serve

build_server = serve.build_server

def building(*given):
    logging._lock.acquire()
    signal.raise_signal(signal.SIGTERM)
    logging._lock.release()
    return build_server(*given)

serve.build_server = building
main()
"""
"""A signal that comes while a lock is held which everybody needs who closes something."""


def test_a_start_that_is_told_to_stop_ends_in_order(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TOLD_IN_MID_START, "serve", "--port", "0"]
    with started(tmp_path, command=command) as process:
        _, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, complaint


TOLD_BEFORE_ITS_KEY_IS_SHOWN = """
import signal
from memweaver.cli import main, serve

first_key = serve.first_key

async def telling(services):
    signal.raise_signal(signal.SIGTERM)
    return await first_key(services)

serve.first_key = telling
main()
"""


def test_a_key_that_is_made_is_shown_although_it_is_told_to_stop(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TOLD_BEFORE_ITS_KEY_IS_SHOWN, "serve", "--port", "0"]
    with started(tmp_path, command=command) as process:
        said, complaint = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, complaint
    assert "shown only this once" in said


SLOW_TO_CLOSE = """
import asyncio
from contextlib import asynccontextmanager
from memweaver.cli import main, serve

open_services = serve.open_services

@asynccontextmanager
async def slowly(settings):
    async with open_services(settings) as services:
        yield services
        print("closing", flush=True)
        await asyncio.sleep(600)

serve.open_services = slowly
main()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_once_more_while_it_closes_it_is_gone_at_once(
    tmp_path: Path, number: signal.Signals
) -> None:
    command = [sys.executable, "-c", SLOW_TO_CLOSE, "serve", "--port", "0", "--json"]
    with started(tmp_path, command=command) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(number)
        assert process.stdout.readline() == "closing\n"
        process.send_signal(number)
        assert process.wait(PATIENCE) == -number


def test_a_port_that_is_taken_makes_no_key(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with started(tmp_path, "--port", port) as process:
            said, complaint = process.communicate(timeout=PATIENCE)

    assert process.returncode == 10
    assert said == ""
    assert complaint.startswith(f"memweaver: cannot listen on 127.0.0.1:{port}")
    assert complaint.count("\n") == 1
    assert not (tmp_path / "memweaver-data").exists()
