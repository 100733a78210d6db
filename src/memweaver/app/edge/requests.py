"""One request: its id, its line in the log, its figure, and an answer if nobody else has one."""

import logging
import re
from secrets import token_hex
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memweaver.app.edge.headers import DOCS, as_page, dressed
from memweaver.app.logging import REQUEST
from memweaver.interfaces.rest.errors import internal_error
from memweaver.services import Services

log = logging.getLogger(__name__)

PLAIN = re.compile(rb"[A-Za-z0-9._-]{1,64}")
METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
"""Others are counted together: a caller may invent as many as there are words."""


class LastResort:
    """Answers what nobody foresaw, and writes one line for every request.

    The line names the route, not the path, and never the query: session names are private.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._under_way = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        request_id = id_of(scope)
        token = REQUEST.set(request_id.decode())
        try:
            if scope["type"] == "http":
                await self._answered(scope, receive, send, request_id)
            else:
                await self._app(scope, receive, send)
        finally:
            REQUEST.reset(token)

    async def _answered(
        self, scope: Scope, receive: Receive, send: Send, request_id: bytes
    ) -> None:
        begun, status = perf_counter(), 0
        out = as_page(send) if scope["path"] == DOCS else send

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
                dressed(message, request_id)
            await out(message)

        self._level(scope, 1)
        try:
            await self._app(scope, receive, send_and_note)
        except Exception:
            log.exception("request failed", extra={"action": "request_failed"})
            if not status:
                await internal_error()(scope, receive, send_and_note)
        finally:
            self._level(scope, -1)
            note(scope, status, perf_counter() - begun)

    def _level(self, scope: Scope, change: int) -> None:
        self._under_way += change
        if services := services_of(scope):
            services.watch.figures.level("requests_under_way", self._under_way)


def id_of(scope: Scope) -> bytes:
    """The id that the caller gave the request, if it is a plain one; else one of our own."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and PLAIN.fullmatch(value):
            return bytes(value)
    return token_hex(8).encode()


def services_of(scope: Scope) -> Services | None:
    services = scope.get("state", {}).get("services")
    return services if isinstance(services, Services) else None


def note(scope: Scope, status: int, seconds: float) -> None:
    route = getattr(scope.get("route"), "path", None)
    if services := services_of(scope):
        method = scope["method"] if scope["method"] in METHODS else "other"
        services.watch.figures.time(
            "requests_seconds", seconds, route=route or "", method=method, status=str(status)
        )
    line = {
        "action": "request",
        "method": scope["method"],
        "route": route,
        "status": status,
        "ms": round(seconds * 1000, 1),
    }
    log.info("request", extra=line)
