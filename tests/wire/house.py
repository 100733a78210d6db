"""A real server on what its settings name, and visitors who each have a key of their own."""

import json
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count

from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from tests.wire.headers import Announced

from memweaver.app.server import build_server
from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.domain.principal import EVERYTHING
from memweaver.services import Services

NUMBERS = count(1)
PROXY = {"/v1/chat/completions", "/v1/embeddings", "/v1/models", "/v1/models/{model_id}"}
"""Routes that keep to another's protocol; `tests/proxy` is about them."""
HERE = "http://localhost"
"""A name that every server has."""


@dataclass(frozen=True)
class Visitor:
    user: str
    secret: str
    client: TestClient

    def ask(self, request: str, body: object = None, **headers: str) -> Response:
        """`request` is a method and a path; `headers` are spelt with underscores."""
        method, path = request.split(" ", 1)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Authorization": f"Bearer {self.secret}", **given}
        if body is None:
            return self.client.request(method, path, headers=sent)
        # Not the client's own JSON, which cannot spell half a character.
        return self.client.request(
            method,
            path,
            headers={"Content-Type": "application/json", **sent},
            content=json.dumps(body),
        )


@dataclass(frozen=True)
class House:
    server: FastAPI
    client: TestClient
    services: Services

    def visitor(self) -> Visitor:
        """Somebody new."""
        user = f"visitor-{next(NUMBERS)}"
        return Visitor(user, self.key_for(user), self.client)

    def admin(self) -> Visitor:
        """Somebody new who may run the house."""
        user = f"admin-{next(NUMBERS)}"
        issue = partial(self.services.access.create, user, "test", permissions=EVERYTHING)
        assert self.client.portal
        return Visitor(user, self.client.portal.call(issue).secret, self.client)

    def key_for(self, user: str) -> str:
        assert self.client.portal
        return self.client.portal.call(self.services.access.create, user, "test").secret

    def settle(self) -> None:
        assert self.client.portal
        self.client.portal.call(self.services.maintain.settled)


@contextmanager
def open_house(settings: Settings) -> Generator[House]:
    opened: list[Services] = []

    @asynccontextmanager
    async def opening() -> AsyncGenerator[Services]:
        async with open_services(settings) as services:
            opened.append(services)
            yield services

    server = build_server(settings, opening())
    with TestClient(server, base_url=HERE) as client:
        client.event_hooks = {"response": [Announced(server)]}
        yield House(server, client, opened[0])
