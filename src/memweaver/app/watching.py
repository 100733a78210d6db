"""The routes by which a worker that runs apart can be watched: /health, /ready, /metrics."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, nullcontext

import uvicorn

from memweaver.app.server import build_server
from memweaver.app.serving import config_of
from memweaver.app.settings import Settings
from memweaver.interfaces.rest.routes import watching
from memweaver.services import Services


class Server(uvicorn.Server):
    """Leaves signals to the worker, which decides when both end."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@asynccontextmanager
async def watched(
    settings: Settings, listener: socket.socket, services: Services
) -> AsyncGenerator[None]:
    """Answer at `listener` until the body ends."""
    application = build_server(settings, nullcontext(services), [watching])
    server = Server(config_of(application, settings.server))
    serving = asyncio.get_running_loop().create_task(server.serve(sockets=[listener]))
    try:
        yield
    finally:
        services.health.leaving.begin()
        server.should_exit = True
        await serving
