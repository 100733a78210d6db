"""What surrounds every request: a limit to its size, a line in the log, an answer if it fails."""

import logging
from http import HTTPStatus
from time import perf_counter

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memweaver.interfaces.rest import internal_error

log = logging.getLogger(__name__)


class BodyLimit:
    """Refuses a body over the limit, announced or not, before it is in memory."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        received = 0

        async def receive_within_limit() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._limit:
                raise HTTPException(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                    f"the body is over the limit of {self._limit} bytes",
                )
            return message

        await self._app(scope, receive_within_limit, send)


class LastResort:
    """Answers what nobody foresaw, and writes one line for every request.

    The line names the route, not the path, and never the query: session names are private.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, status = perf_counter(), 0

        async def send_and_note(message: Message) -> None:
            nonlocal status
            status = int(message.get("status", status))
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except Exception:
            log.exception("request failed", extra={"action": "request_failed"})
            if not status:
                await internal_error()(scope, receive, send_and_note)
        milliseconds = round((perf_counter() - begun) * 1000, 1)
        log.info("request", extra=line(scope, status, milliseconds))


def line(scope: Scope, status: int, milliseconds: float) -> dict[str, object]:
    return {
        "action": "request",
        "method": scope["method"],
        "route": getattr(scope.get("route"), "path", None),
        "status": status,
        "ms": milliseconds,
    }
