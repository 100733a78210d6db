"""The gate: who calls this server by a wrong name, or from a foreign page, is turned away."""

from collections.abc import Mapping
from http import HTTPStatus
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from memweaver.app.house_sections import ServerSettings
from memweaver.errors import Forbidden, InvalidInput
from memweaver.interfaces.rest.errors import shown

LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - compared with, not listened on


class Gate:
    """Refuses other names than its own, and pages of other origins than the named ones.

    Names: a page that has its own name point here (DNS rebinding) would else be of our origin.
    A server that listens on every address is called by any of them, which no page can forge.
    """

    def __init__(self, app: ASGIApp, server: ServerSettings) -> None:
        self._app = app
        self._hosts = frozenset(name.lower() for name in (*LOOPBACK, server.host, *server.hosts))
        self._origins = frozenset(origin.lower().rstrip("/") for origin in server.origins)
        self._any_address = server.host in EVERY_ADDRESS

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        host, origin = named(scope)
        if not self._ours(host):
            await refuse(scope, receive, send, HTTPStatus.MISDIRECTED_REQUEST)
        elif origin is not None and not self._welcome(origin, host):
            await refuse(scope, receive, send, HTTPStatus.FORBIDDEN)
        else:
            await self._app(scope, receive, send)

    def _ours(self, host: str) -> bool:
        name = without_port(host)
        return name in self._hosts or (self._any_address and is_address(name))

    def _welcome(self, origin: str, host: str) -> bool:
        return origin in self._origins or urlsplit(origin).netloc == host


def named(scope: Scope) -> tuple[str, str | None]:
    """By which name the server is called, and from which page if from one."""
    host, origin = "", None
    for name, value in scope["headers"]:
        if name == b"host":
            host = value.decode("latin-1").lower()
        elif name == b"origin":
            origin = value.decode("latin-1").lower()
    return host, origin


def without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


SAID: Mapping[HTTPStatus, tuple[str, str]] = {
    HTTPStatus.MISDIRECTED_REQUEST: (
        InvalidInput.code,
        "this server is not called so: name it in MEMWEAVER_SERVER__HOSTS",
    ),
    HTTPStatus.FORBIDDEN: (
        Forbidden.code,
        "pages of this origin may not call: name it in MEMWEAVER_SERVER__ORIGINS",
    ),
}


async def refuse(scope: Scope, receive: Receive, send: Send, status: HTTPStatus) -> None:
    if scope["type"] == "websocket":
        # Before it was accepted: the server answers the handshake with 403.
        await send({"type": "websocket.close", "code": 1008})
        return
    code, message = SAID[status]
    await shown(status, code, message)(scope, receive, send)
