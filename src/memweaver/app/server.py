"""One ASGI application out of every interface, with one lifespan that owns them all."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from typing import TypedDict

from fastapi import APIRouter, FastAPI
from fastapi_offline import FastAPIOffline
from starlette.middleware import Middleware

from memweaver.app.edge import BodyLimit, LastResort
from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.interfaces import rest
from memweaver.services import Services

DESCRIPTION = """A long-term memory for AI assistants that belongs to the user.

Record turns, recall what matters, and read, correct, move or erase what is remembered.
Every request but `/health` carries an API key; whose memory it is follows from the key alone."""


class State(TypedDict):
    services: Services


def build_server(
    settings: Settings,
    opening: AbstractAsyncContextManager[Services] | None = None,
    routes: APIRouter = rest.router,
) -> FastAPI:
    """The application; what `settings` name is opened with it, unless `opening` does that."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[State]:
        async with opening or open_services(settings) as services:
            yield {"services": services}

    server = FastAPIOffline(
        title="Memweaver",
        description=DESCRIPTION,
        version=version("memweaver"),
        lifespan=lifespan,
        exception_handlers=dict(rest.exception_handlers),
        middleware=[Middleware(LastResort), Middleware(BodyLimit, limit=settings.server.body)],
        redoc_url=None,
    )
    server.include_router(routes)
    return server
