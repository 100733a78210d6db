"""How a server's refusals are raised here: one table, by code, and another for who sends none."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import httpx

from memweaver import errors
from memweaver.errors import (
    BackendError,
    BackendUnavailable,
    Conflict,
    Forbidden,
    InvalidInput,
    MemweaverError,
    ModelError,
    ModelUnavailable,
    NotFound,
    RateLimited,
    StorageFull,
    TooLarge,
    Unauthenticated,
    Unsupported,
)

BY_CODE: Mapping[str, type[MemweaverError]] = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, MemweaverError)
}
BY_STATUS: Mapping[int, type[MemweaverError]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    429: RateLimited,
    501: Unsupported,
    502: BackendUnavailable,
    503: BackendUnavailable,
    504: BackendUnavailable,
    507: StorageFull,
}
"""For what stands before the server, such as a gateway, and for codes that are newer than this."""

UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
"""What went wrong before anything could have been done."""


@contextmanager
def translated() -> Iterator[None]:
    """A connection's own errors become ours."""
    try:
        yield
    except UNSENT as error:
        raise BackendUnavailable("the server cannot be reached: is it running?") from error
    except httpx.TimeoutException as error:
        raise BackendUnavailable("the server did not answer in time") from error
    except httpx.TransportError as error:
        raise BackendUnavailable("the connection broke before the answer was there") from error
    except httpx.DecodingError as error:
        raise BackendError("the server's answer cannot be read") from error


def may_have_been_done(error: MemweaverError) -> bool:
    """Whether the server may have done what was asked, though its answer is lost."""
    return isinstance(error.__cause__, httpx.TransportError) and not isinstance(
        error.__cause__, UNSENT
    )


def failure(response: httpx.Response) -> MemweaverError:
    """The error that an answer tells of."""
    try:
        body = response.json()
    except ValueError:
        body = None
    return told_failure(body, of_status(response.status_code), rest_asked(response))


def told_failure(
    body: object, otherwise: type[MemweaverError] = ModelError, rest: float | None = None
) -> MemweaverError:
    """The error that `body` tells of, in our shape or in OpenAI's; `otherwise`, if it does not."""
    match body:
        case {"error": {"code": str(code), "message": str(message)}}:
            kind = BY_CODE.get(code, otherwise)
        case {"error": {"message": str(message)}}:
            kind = otherwise
        case _:
            kind, message = otherwise, "the server refused without saying why"
    if issubclass(kind, RateLimited):
        return kind(message) if rest is None else kind(message, retry_after=rest)
    if issubclass(kind, ModelUnavailable):
        return kind(message, retry_after=rest)
    return kind(message)


def of_status(status: int) -> type[MemweaverError]:
    if status in BY_STATUS:
        return BY_STATUS[status]
    return InvalidInput if status < 500 else BackendError  # noqa: PLR2004 - HTTP's own border


def rest_asked(response: httpx.Response) -> float | None:
    """`Retry-After`, if it is a number of seconds."""
    try:
        return max(float(response.headers["retry-after"]), 0.0)
    except (KeyError, ValueError):
        return None
