"""One ASGI application out of every interface, with one lifespan that owns them all."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from typing import TypedDict

from fastapi import APIRouter, FastAPI
from fastapi_offline import FastAPIOffline

from memweaver.app.edge import around
from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.background import beside
from memweaver.interfaces import openai, socketio
from memweaver.interfaces.rest.documented import documented
from memweaver.interfaces.rest.errors import exception_handlers
from memweaver.interfaces.rest.routes import FAILURES
from memweaver.interfaces.rest.routes import router as rest
from memweaver.services import Services

DESCRIPTION = """A long-term memory for AI assistants that belongs to the user.

Record turns, recall what matters, and read, correct, move or erase what is remembered.
Every request carries an API key, but for those that need none; whose memory it is follows from
the key alone."""


class State(TypedDict):
    services: Services


def build_server(
    settings: Settings,
    opening: AbstractAsyncContextManager[Services] | None = None,
    routers: Sequence[APIRouter] = (rest, openai.router, socketio.router),
) -> FastAPI:
    """The application; what `settings` name is opened with it, unless `opening` does that."""
    sockets = build_sockets(settings) if rest in routers else None

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[State]:
        async with opening or open_services(settings) as services, AsyncExitStack() as stack:
            if sockets:
                kept = services.upkeep
                await stack.enter_async_context(beside(kept("events", services.listen.run)))
                await stack.enter_async_context(beside(kept("webhooks", services.webhooks.run)))
                await stack.enter_async_context(sockets.serving(services))
            yield {"services": services}

    server = FastAPIOffline(
        title="Memweaver",
        description=DESCRIPTION,
        version=version("memweaver"),
        lifespan=lifespan,
        exception_handlers=dict(exception_handlers),
        middleware=around(settings.server),
        docs_url="/docs" if settings.server.docs else None,
        redoc_url=None,
    )
    for router in routers:
        server.include_router(router, responses=FAILURES if router is socketio.router else None)
    if sockets:
        server.mount("/socket.io", sockets.app)
    plain = server.openapi
    server.openapi = lambda: documented(plain())  # type: ignore[method-assign] # the framework's way
    return server


def build_sockets(settings: Settings) -> socketio.Sockets:
    return socketio.Sockets(
        heartbeat=settings.events.heartbeat,
        longest=settings.server.message,
        bus=settings.redis.url.get_secret_value(),
    )
