"""A real server on a real port, with real Socket.IO clients."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import socketio
import uvicorn

from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.adapters.shard import ShardIndex
from memweaver.adapters.system import SystemClock
from memweaver.app.found import Around
from memweaver.app.opening import Minds, open_backend, open_carrying
from memweaver.app.server import build_server
from memweaver.app.serving import config_of
from memweaver.app.settings import Settings
from memweaver.app.wiring import build_services
from memweaver.domain.event import Cursor
from memweaver.domain.scope import Scope
from memweaver.ports.keys import MasterKeys
from memweaver.services import Services
from memweaver.testing.doubles import HashEmbedder
from memweaver.testing.minds import LastWords, ScriptedExtractor

PATIENCE = 20
"""Seconds after which something that does not come is held to be lost."""


class Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@dataclass
class Client:
    """A client that notes all it is told."""

    io: socketio.AsyncClient
    heard: "asyncio.Queue[tuple[str, Any]]" = field(default_factory=asyncio.Queue)

    async def ask(self, event: str, payload: object = None) -> Any:
        """What the server acknowledges it with."""
        return await self.io.call(event, payload, timeout=PATIENCE)

    async def next(self, *names: str) -> tuple[str, Any]:
        """The next event, or the next of these names."""
        async with asyncio.timeout(PATIENCE):
            while True:
                name, payload = await self.heard.get()
                if not names or name in names:
                    return name, payload

    def waiting(self) -> list[tuple[str, Any]]:
        """What has come and was not looked at."""
        return [self.heard.get_nowait() for _ in range(self.heard.qsize())]


@dataclass
class House:
    services: Services
    url: str

    async def key(self, user: str) -> str:
        return (await self.services.access.create(user, "test")).secret

    async def cursor(self, scope: Scope, number: int, at: datetime) -> str:
        return await self.services.cursors.told(scope, Cursor(number, at))

    async def ai(self, user: str, name: str) -> Scope:
        await self.services.ais.register(user, name, name)
        return Scope(user, name)

    @asynccontextmanager
    async def client(self, auth: object = None, **headers: str) -> AsyncGenerator[Client]:
        io = socketio.AsyncClient(reconnection=False)
        client = Client(io)
        io.on("*", lambda name, payload=None: client.heard.put_nowait((name, payload)))
        io.on("disconnect", lambda *_: client.heard.put_nowait(("disconnect", None)))
        try:
            await io.connect(
                self.url,
                auth=auth,
                transports=["websocket"],
                headers=headers,
                wait_timeout=PATIENCE,
            )
            yield client
        finally:
            await io.disconnect()
            await io.eio.http.close() if io.eio.http else None


@asynccontextmanager
async def a_house(folder: Path, **settings: Any) -> AsyncGenerator[House]:
    chosen = Settings(data=folder, **settings)
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(quick_services(chosen))
        yield await stack.enter_async_context(serving(chosen, services))


@asynccontextmanager
async def quick_services(
    settings: Settings, master: MasterKeys | None = None
) -> AsyncGenerator[Services]:
    """All that `settings` name, but with models that are there at once."""
    async with AsyncExitStack() as stack:
        keys = master or MemoryMasterKeys()
        backend = await stack.enter_async_context(open_backend(settings, keys))
        courier = await stack.enter_async_context(open_carrying(settings.events))
        embedder = HashEmbedder()
        yield build_services(
            settings,
            clock=SystemClock(),
            master_keys=keys,
            backend=backend,
            embedder=embedder,
            index=ShardIndex(backend.changes, embedder.model),
            minds=Minds(ScriptedExtractor(), None, LastWords()),
            around=Around(courier=courier),
        )


@asynccontextmanager
async def serving(settings: Settings, services: Services) -> AsyncGenerator[House]:
    @asynccontextmanager
    async def opening() -> AsyncGenerator[Services]:
        yield services

    listener = socket.create_server(("127.0.0.1", 0))
    server = Server(config_of(build_server(settings, opening()), settings.server))
    task = asyncio.get_running_loop().create_task(server.serve(sockets=[listener]))
    try:
        yield House(services, f"http://127.0.0.1:{listener.getsockname()[1]}")
    finally:
        server.should_exit = True
        await task
