"""A server that stops while an answer lasts: it says so once, calmly."""

import asyncio
import json
import logging

import httpx
import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from memweaver.app.edge.requests import LastResort
from memweaver.app.house_sections import ServerSettings
from memweaver.app.logging import configure_logging
from memweaver.app.sections import LogSettings
from memweaver.app.serving import config_of
from memweaver.cli.serve import listening


class Endless:
    """Begins an answer, and never ends it."""

    def __init__(self) -> None:
        self.cut_off = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"Once", "more_body": True})
        try:
            await asyncio.Event().wait()
        finally:
            self.cut_off.set()


async def stop_amid_an_answer() -> None:
    endless, listener = Endless(), listening(ServerSettings(port=0))
    config = config_of(LastResort(endless), ServerSettings())
    config.lifespan, config.timeout_graceful_shutdown = "off", 0
    server = uvicorn.Server(config)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    async with (
        asyncio.TaskGroup() as tasks,
        httpx.AsyncClient(trust_env=False) as client,
    ):
        tasks.create_task(server.serve([listener]))
        async with client.stream("GET", url) as answer:
            assert await anext(answer.aiter_bytes()) == b"Once"
            server.should_exit = True
            await endless.cut_off.wait()


async def test_an_answer_that_outlasts_the_stop_is_warned_of_and_no_mistake(
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = logging.getLogger()
    before = root.handlers, root.level
    try:
        configure_logging(LogSettings(format="json"))
        await stop_amid_an_answer()
    finally:
        root.handlers, root.level = before

    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["level"], line["event"]) for line in lines] == [
        ("warning", "Cancel 1 running task(s), timeout graceful shutdown exceeded"),
        ("info", "request"),
    ]
