"""The app as it is served, with a scripted model behind it and everybody in it."""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest
import uvicorn
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from httpx import AsyncClient
from pydantic import SecretStr
from tests.isolation.objects import World

from memweaver.adapters.memory.courier import InMemoryCourier
from memweaver.app import wiring
from memweaver.app.house_sections import AccessSettings, ServerSettings, UpstreamSettings
from memweaver.app.server import build_server
from memweaver.app.settings import Settings
from memweaver.app.watching import Server
from memweaver.app.wiring import open_services
from memweaver.cli.serve import listening
from memweaver.cli.welcome import url_of
from memweaver.services import Services
from memweaver.testing.doubles import HashEmbedder
from memweaver.testing.model_server import Script, serving

IGNORED = {"HEAD", "OPTIONS"}


@dataclass(frozen=True)
class House:
    server: FastAPI
    services: Services
    client: AsyncClient
    url: str

    @property
    def world(self) -> World:
        return World(self.services)


@asynccontextmanager
async def open_house(folder: Path) -> AsyncGenerator[House]:
    """With an embedder that costs nothing and a courier who goes nowhere.

    Whose something is does not depend on what it means, nor on who is told.
    """
    async with AsyncExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(wiring, "open_embedder", lambda _: nullcontext(HashEmbedder()))
        patch.setattr(wiring, "open_carrying", lambda _: nullcontext(InMemoryCourier()))
        model = await stack.enter_async_context(serving(Script()))
        settings = Settings(
            data=folder,
            server=ServerSettings(port=0),
            access=AccessSettings(requests_per_minute=0, keys_per_hour=10**9),
            upstream=UpstreamSettings(url=f"{model.url}/v1", api_key=SecretStr("")),
        )
        services = await stack.enter_async_context(open_services(settings, working=False))
        server = build_server(settings, nullcontext(services))
        url = await stack.enter_async_context(listening_at(server, settings))
        client = AsyncClient(base_url=url, trust_env=False, timeout=60)
        yield House(server, services, await stack.enter_async_context(client), url)


@asynccontextmanager
async def listening_at(server: FastAPI, settings: Settings) -> AsyncGenerator[str]:
    """Where it is served, in this very loop."""
    with listening(settings.server) as listener:
        config = uvicorn.Config(server, log_config=None, access_log=False, lifespan="on")
        serving_it = Server(config)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(serving_it.serve(sockets=[listener]))
            yield url_of(listener.getsockname())
            serving_it.should_exit = True


def operations_of(server: FastAPI) -> Collection[str]:
    """Every operation that the running app answers, documentation aside."""
    return {
        f"{method} {route.path}"
        for route in iter_route_contexts(server.routes)
        if getattr(route, "dependant", None)
        for method in set(getattr(route, "methods", None) or ()) - IGNORED
    }
