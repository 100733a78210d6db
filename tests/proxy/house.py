"""A real server on loopback in front of a scripted model, as clients meet it."""

import asyncio
import threading
from collections.abc import Callable, Coroutine, Generator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import httpx
import uvicorn
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as ASGIScope

from memweaver.app.house_sections import ServerSettings, UpstreamSettings
from memweaver.app.server import build_server
from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.cli.serve import listening
from memweaver.domain.conversation import Turn
from memweaver.domain.scope import Scope
from memweaver.services import Services
from memweaver.testing.model_server import Script, serving

Result = TypeVar("Result")
NUMBERS = count(1)
PATIENCE = 60


class Counted:
    """The application, and how many are being served: some clients do not read to the end."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._served = 0
        self._changed = asyncio.Condition()

    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None:
        self._served += 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._served -= 1
            async with self._changed:
                self._changed.notify_all()

    async def idle(self) -> None:
        """Returns when nobody is being served but by the lifespan."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._served <= 1)


@dataclass
class House:
    """`call` runs something on the server's own loop."""

    url: str
    services: Services
    script: Script
    loop: asyncio.AbstractEventLoop
    server: Counted

    def call(self, work: Coroutine[Any, Any, Result]) -> Result:
        answer: Future[Result] = asyncio.run_coroutine_threadsafe(work, self.loop)
        return answer.result(PATIENCE)

    def guest(self) -> "Guest":
        """Somebody new, who finds a model that was asked nothing yet."""
        self.script.asked.clear()
        self.script.heads.clear()
        self.script.replies.clear()
        self.script.first.clear()
        self.script.hold = None
        self.script.left.clear()
        user = f"guest-{next(NUMBERS)}"
        return Guest(self, user, self.call(self.services.access.create(user, "test")).secret)


@dataclass
class Guest:
    house: House
    user: str
    secret: str
    headers: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def base_url(self) -> str:
        return f"{self.house.url}/v1"

    @property
    def asked(self) -> dict[str, Any]:
        """The last question that the model got."""
        return dict(self.house.script.asked[-1])

    def post(self, path: str, body: object, **headers: str) -> httpx.Response:
        return httpx.post(
            self.house.url + path, json=body, headers=self._headers(headers), trust_env=False
        )

    def send(self, path: str, content: bytes) -> httpx.Response:
        url = self.house.url + path
        return httpx.post(url, content=content, headers=self._headers({}), trust_env=False)

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.house.url + path, headers=self._headers({}), trust_env=False)

    def chat(self, text: str, **given: Any) -> httpx.Response:
        headers = given.pop("headers", {})
        body = {"model": "small", "messages": [{"role": "user", "content": text}], **given}
        return self.post("/v1/chat/completions", body, **headers)

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        given = {name.replace("_", "-"): value for name, value in more.items()}
        return {"Authorization": f"Bearer {self.secret}", **given}

    def turns(self, ai: str | None = None) -> Sequence[Turn]:
        """What was recorded, oldest first, when all is through."""
        self.house.call(self.house.server.idle())
        self.house.call(self.house.services.chat.settled())
        page = self.house.call(self.house.services.curate.turns(Scope(self.user, ai), limit=50))
        return list(reversed(page.items))

    def said(self) -> list[list[str]]:
        return [[message.text for message in turn.messages] for turn in self.turns()]


@contextmanager
def open_house(
    folder: Path,
    upstream: Callable[[str], UpstreamSettings] | None = None,
    server: ServerSettings | None = None,
) -> Generator[House]:
    """`upstream` says how the scripted model at a URL is configured; none if it says none."""
    ready: Future[House] = Future()
    over = threading.Event()

    async def run() -> None:
        async with serving(Script()) as script:
            chosen = upstream(script.url) if upstream else UpstreamSettings(url=script.url)
            limits = server or ServerSettings()
            settings = Settings(data=folder, upstream=chosen, server=limits)
            async with open_services(settings) as services:
                loop, listener = asyncio.get_running_loop(), listening(ServerSettings(port=0))
                application = Counted(build_server(settings, nullcontext(services)))
                config = uvicorn.Config(application, log_config=None, timeout_graceful_shutdown=5)
                serving_it = uvicorn.Server(config)
                serve = loop.create_task(serving_it.serve([listener]))
                port = listener.getsockname()[1]
                url = f"http://127.0.0.1:{port}"
                ready.set_result(House(url, services, script, loop, application))
                await asyncio.to_thread(over.wait)
                serving_it.should_exit = True
                await serve

    def main() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    thread = threading.Thread(target=main)
    thread.start()
    try:
        yield ready.result(PATIENCE)
    finally:
        over.set()
        thread.join(PATIENCE)
