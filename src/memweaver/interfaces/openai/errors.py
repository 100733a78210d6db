"""How the proxy shows our errors: in OpenAI's shape, so that its clients raise what they should."""

import logging
import re
from collections.abc import Callable, Coroutine, Mapping
from http import HTTPStatus
from math import ceil
from typing import Any

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from memweaver.errors import (
    BackendUnavailable,
    Conflict,
    Denied,
    InvalidInput,
    MemweaverError,
    ModelError,
    ModelUnavailable,
    NotFound,
    NoUpstream,
    RateLimited,
    TooLarge,
    Unauthenticated,
    Unsupported,
)

log = logging.getLogger(__name__)

Shown = tuple[HTTPStatus, str]

TABLE: Mapping[type[MemweaverError], Shown] = {
    InvalidInput: (HTTPStatus.BAD_REQUEST, "invalid_request_error"),
    TooLarge: (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "invalid_request_error"),
    NotFound: (HTTPStatus.NOT_FOUND, "invalid_request_error"),
    Conflict: (HTTPStatus.CONFLICT, "invalid_request_error"),
    Denied: (HTTPStatus.FORBIDDEN, "permission_error"),
    Unauthenticated: (HTTPStatus.UNAUTHORIZED, "authentication_error"),
    RateLimited: (HTTPStatus.TOO_MANY_REQUESTS, "rate_limit_error"),
    Unsupported: (HTTPStatus.NOT_IMPLEMENTED, "invalid_request_error"),
    BackendUnavailable: (HTTPStatus.SERVICE_UNAVAILABLE, "server_error"),
    NoUpstream: (HTTPStatus.SERVICE_UNAVAILABLE, "server_error"),
    ModelError: (HTTPStatus.BAD_GATEWAY, "server_error"),
    ModelUnavailable: (HTTPStatus.SERVICE_UNAVAILABLE, "server_error"),
    MemweaverError: (HTTPStatus.INTERNAL_SERVER_ERROR, "server_error"),
}
"""Status and type; the code is our own."""

CODES: Mapping[int, str] = {
    HTTPStatus.BAD_REQUEST: InvalidInput.code,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: TooLarge.code,
}
"""How the edge's own refusals are called here."""

NAMED_FIELD = re.compile(r"`([\w.\[\]-]+)`")
"""A refusal begins with the field it is about."""


def shown(
    status: int,
    kind: str,
    message: str,
    *,
    code: str | None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    error = {"message": message, "type": kind, "param": param, "code": code}
    return JSONResponse({"error": error}, status, headers)


def show_ours(error: MemweaverError) -> Response:
    """As the nearest class in the table, so that a new leaf is shown as its family."""
    status, kind = next(TABLE[one] for one in type(error).__mro__ if one in TABLE)
    named = NAMED_FIELD.match(str(error)) if isinstance(error, InvalidInput) else None
    return shown(
        status,
        kind,
        str(error),
        code=error.code,
        param=named[1] if named else None,
        headers=headers_of(error),
    )


def headers_of(error: MemweaverError) -> dict[str, str]:
    match error:
        case Unauthenticated():
            return {"WWW-Authenticate": "Bearer"}
        case RateLimited(retry_after=seconds) | ModelUnavailable(retry_after=float(seconds)):
            return {"Retry-After": str(ceil(seconds))}
        case _:
            return {}


def show_invalid(error: RequestValidationError) -> Response:
    """The first thing wrong with a request, by name, without repeating what was sent."""
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"][1:]) or "body"
    kind = "invalid_request_error"
    message = f"`{field}`: {first['msg']}"
    return shown(HTTPStatus.BAD_REQUEST, kind, message, code=InvalidInput.code, param=field)


def show_http(error: HTTPException) -> Response:
    code = CODES.get(error.status_code)
    kind = "invalid_request_error"
    return shown(error.status_code, kind, error.detail, code=code, headers=error.headers)


def show_unforeseen() -> Response:
    """That something happened which nobody foresaw, nothing more."""
    status, kind = HTTPStatus.INTERNAL_SERVER_ERROR, "server_error"
    return shown(status, kind, "something went wrong on this side", code="internal_error")


class InOpenAIsShape(APIRoute):
    """A route that shows every refusal so, those of the door included."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handle(request)
            except MemweaverError as error:
                return show_ours(error)
            except RequestValidationError as error:
                return show_invalid(error)
            except HTTPException as error:
                return show_http(error)
            except Exception:
                log.exception("request failed", extra={"action": "request_failed"})
                return show_unforeseen()

        return handled
