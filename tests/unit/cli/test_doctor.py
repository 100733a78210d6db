"""`memweaver doctor`: whatever is wrong is said with what to do, and nothing is changed."""

import asyncio
import json
import logging
import socket
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from tests.unit.cli.conftest import Terminal

from memweaver.app.doctor import CHECKS, State, found

NOBODY = "127.0.0.1:9"
SECRET = "hunter2hunter2"


@pytest.fixture(autouse=True)
def doctor(terminal: Terminal) -> Generator[None]:
    """It silences the logs of its process for good."""
    terminal.monkeypatch.setenv("MEMWEAVER_SERVER__PORT", "0")
    yield
    logging.disable(logging.NOTSET)


def examined(terminal: Terminal, **settings: str) -> tuple[int, dict[str, dict[str, Any]]]:
    for name, value in settings.items():
        terminal.monkeypatch.setenv(name, value)
    ended = terminal.type("doctor", "--json")
    assert ended.complained == ""
    assert ended.json["ok"] is (ended.code == 0)
    return ended.code, {one["check"]: one for one in ended.json["checks"]}


def test_before_the_first_start_all_is_well_and_nothing_is_made(terminal: Terminal) -> None:
    code, checks = examined(terminal)

    assert code == 0
    assert set(checks) == {"settings", *CHECKS}
    assert {name for name, one in checks.items() if one["state"] != "ok"} == {"upstream"}
    assert list(terminal.folder.iterdir()) == []


def test_what_is_wrong_with_the_data_is_said_with_what_to_do(terminal: Terminal) -> None:
    assert terminal.type("record", "Hello").code == 0
    data = terminal.folder / "data"
    key = data / "master.key"

    key.chmod(0o644)
    data.chmod(0o755)
    code, checks = examined(terminal)
    assert code == 1
    assert (checks["master key"]["state"], checks["data folder"]["state"]) == ("fail", "warn")
    assert "chmod 600" in checks["master key"]["says"]
    assert "chmod 700" in checks["data folder"]["says"]

    key.rename(terminal.folder / "elsewhere")
    code, checks = examined(terminal)
    assert (code, checks["master key"]["state"], checks["store"]["state"]) == (1, "fail", "fail")
    assert "put back the copy" in checks["master key"]["says"]
    assert not key.exists()


def test_settings_that_cannot_be_are_the_only_finding(terminal: Terminal) -> None:
    code, checks = examined(terminal, MEMWEAVER_SERVER__ORIGINS="*")

    assert (code, list(checks)) == (1, ["settings"])
    assert "one by one" in checks["settings"]["says"]


def test_neighbours_that_are_away_are_told_without_their_secrets(terminal: Terminal) -> None:
    code, checks = examined(
        terminal,
        REDIS_URL=f"redis://:{SECRET}@{NOBODY}/0",
        RABBITMQ_URL=f"amqp://m:{SECRET}@{NOBODY}/",
        MEMWEAVER_STORE__KIND="postgres",
        POSTGRES_URL=f"postgresql://m:{SECRET}@{NOBODY}/m",
        MEMWEAVER_EMBEDDER__KIND="ollama",
        MEMWEAVER_EMBEDDER__URL=f"http://{NOBODY}",
        MEMWEAVER_EMBEDDER__RETRIES="0",
        MEMWEAVER_EXTRACTOR__KIND="openai",
        MEMWEAVER_EXTRACTOR__URL=f"http://{NOBODY}/v1",
        MEMWEAVER_EXTRACTOR__API_KEY=SECRET,
        MEMWEAVER_EXTRACTOR__RETRIES="0",
        MEMWEAVER_UPSTREAM__URL=f"http://{NOBODY}/v1",
        MEMWEAVER_UPSTREAM__API_KEY=SECRET,
        MEMWEAVER_TRACE__URL=f"http://{NOBODY}",
    )

    assert code == 1
    assert {name for name, one in checks.items() if one["state"] == "fail"} == {
        *("schema", "store", "doorbell", "redis", "embedder", "extractor", "upstream", "traces")
    }
    assert SECRET not in json.dumps(checks)
    for name, setting in {
        "schema": "STORE__URL",
        "store": "STORE__URL",
        "doorbell": "RABBITMQ__URL",
        "redis": "REDIS__URL",
        "embedder": "EMBEDDER__KIND",
        "extractor": "EXTRACTOR__KIND",
        "upstream": "UPSTREAM__URL",
        "traces": "TRACE__URL",
    }.items():
        assert f"MEMWEAVER_{setting}" in checks[name]["says"]
        assert "see whether" in checks[name]["says"]


def test_an_upstream_that_refuses_the_key_is_told(terminal: Terminal) -> None:
    with upstream(401) as url:
        code, checks = examined(terminal, MEMWEAVER_UPSTREAM__URL=url)

    assert code == 1
    assert "answers 401" in checks["upstream"]["says"]


def test_a_port_that_is_taken_is_told(terminal: Terminal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, checks = examined(terminal, MEMWEAVER_SERVER__PORT=port)

    assert (code, checks["port"]["state"]) == (0, "warn")


async def test_a_check_that_hangs_is_given_up_and_one_that_breaks_stops_nobody() -> None:
    async def hang() -> str:
        await asyncio.Event().wait()
        return "never"

    async def break_down() -> str:
        raise ZeroDivisionError(SECRET)

    assert (await found("one", hang(), 0.01)).state is State.FAIL
    broken = await found("two", break_down(), 1)
    assert (broken.state, broken.says) == (State.FAIL, "failed with ZeroDivisionError")


@contextmanager
def upstream(status: int) -> Generator[str]:
    """Something that answers every request with `status`."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()
        thread.join()
