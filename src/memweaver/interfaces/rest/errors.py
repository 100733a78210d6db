"""How REST shows our errors: one table, and one shape for whatever else can go wrong."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from math import ceil
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ExceptionHandler

from memweaver.errors import (
    BackendError,
    BackendUnavailable,
    ConfigurationError,
    Conflict,
    Denied,
    Forbidden,
    InvalidFilter,
    InvalidInput,
    MemweaverError,
    ModelError,
    ModelUnavailable,
    NotFound,
    NoUpstream,
    RateLimited,
    ReceiverError,
    StorageFull,
    TooLarge,
    Unauthenticated,
    UnknownPredicate,
    Unreadable,
    Unsupported,
)

STATUS: Mapping[type[MemweaverError], HTTPStatus] = {
    InvalidInput: HTTPStatus.BAD_REQUEST,
    UnknownPredicate: HTTPStatus.UNPROCESSABLE_ENTITY,
    TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    Denied: HTTPStatus.FORBIDDEN,
    Unauthenticated: HTTPStatus.UNAUTHORIZED,
    Forbidden: HTTPStatus.FORBIDDEN,
    RateLimited: HTTPStatus.TOO_MANY_REQUESTS,
    Unsupported: HTTPStatus.NOT_IMPLEMENTED,
    Unreadable: HTTPStatus.INTERNAL_SERVER_ERROR,
    BackendError: HTTPStatus.INTERNAL_SERVER_ERROR,
    BackendUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    StorageFull: HTTPStatus.INSUFFICIENT_STORAGE,
    ReceiverError: HTTPStatus.BAD_GATEWAY,
    NoUpstream: HTTPStatus.SERVICE_UNAVAILABLE,
    ModelError: HTTPStatus.BAD_GATEWAY,
    ModelUnavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    ConfigurationError: HTTPStatus.INTERNAL_SERVER_ERROR,
    MemweaverError: HTTPStatus.INTERNAL_SERVER_ERROR,
}

CODES: Mapping[int, str] = {
    HTTPStatus.BAD_REQUEST: InvalidInput.code,
    HTTPStatus.NOT_FOUND: NotFound.code,
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: TooLarge.code,
}
"""How the framework's own refusals are called here."""

UNREAD = "the body was not read as JSON: send it with `Content-Type: application/json`"
"""Of a body that is said to be something else, as curl does by itself, or nothing at all."""

NAMED_FIELD = re.compile(r"`([\w-]+)`")
"""A refusal by the services begins with the field it is about."""


def status_of(error: MemweaverError) -> HTTPStatus:
    """The status of the nearest class in the table, so that a new leaf is shown as its family."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def shown(
    status: int,
    code: str,
    message: str,
    *,
    field: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Response:
    error = {"code": code, "message": message}
    if field:
        error["field"] = field
    return JSONResponse({"error": error}, status, headers)


def show_ours(_: Request, error: Exception) -> Response:
    assert isinstance(error, MemweaverError)  # noqa: S101 - registered for this class only
    status = status_of(error)
    named = NAMED_FIELD.match(str(error)) if isinstance(error, InvalidInput) else None
    return shown(
        status,
        error.code,
        str(error),
        field=named[1] if named else None,
        headers=headers_of(error),
    )


def headers_of(error: MemweaverError) -> dict[str, str]:
    match error:
        case Unauthenticated():
            return {"WWW-Authenticate": "Bearer"}
        case RateLimited(retry_after=seconds):
            return {"Retry-After": str(ceil(seconds))}
        case _:
            return {}


def show_invalid(_: Request, error: Exception) -> Response:
    """The first thing wrong with a request, by name, without repeating what was sent."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this class only
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return shown(HTTPStatus.BAD_REQUEST, InvalidInput.code, "the body is not valid JSON")
    if first["loc"][0] == "body" and isinstance(error.body, bytes):
        return shown(HTTPStatus.BAD_REQUEST, InvalidInput.code, UNREAD)
    field = ".".join(str(part) for part in first["loc"][1:]) or "body"
    message = f"`{field}`: {sentence(first)}"
    code = InvalidFilter.code if first["type"] == InvalidFilter.code else InvalidInput.code
    return shown(HTTPStatus.BAD_REQUEST, code, message, field=field)


def sentence(problem: Mapping[str, Any]) -> str:
    if problem["type"] == "extra_forbidden":
        return "there is no such field here"
    text = str(problem["msg"]).removeprefix("Value error, ")
    return text[0].lower() + text[1:]


def show_http(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this class only
    code = CODES.get(error.status_code, InvalidInput.code)
    return shown(error.status_code, code, error.detail, headers=error.headers)


def internal_error() -> Response:
    """What a caller is told of an exception nobody foresaw: that it happened, nothing more."""
    return shown(
        HTTPStatus.INTERNAL_SERVER_ERROR, "internal_error", "something went wrong on this side"
    )


exception_handlers: Mapping[Any, ExceptionHandler] = {
    MemweaverError: show_ours,
    RequestValidationError: show_invalid,
    HTTPException: show_http,
}
