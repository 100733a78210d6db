"""What an answer over HTTP means: a result, or which of our errors."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from http import HTTPStatus

from httpx import HTTPError, Response, StreamError

from memweaver.errors import (
    ModelBusy,
    ModelError,
    ModelOutputInvalid,
    ModelRefused,
    ModelUnavailable,
)

JSON = dict[str, object]

PASSING = frozenset(
    {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, 425, HTTPStatus.TOO_MANY_REQUESTS}
)
"""Refusals that another time may not meet."""

OUT_OF_MONEY = "insufficient_quota"
"""Comes as "too many requests", but no pause will help."""

ABOUT_THE_INPUT = frozenset(
    {
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        HTTPStatus.UNPROCESSABLE_ENTITY,
    }
)

MOST_TOKENS = 10**9
"""That a count may name: more than any model reads or writes, and no more than a figure holds."""

CODE = re.compile(r"[A-Za-z0-9_.-]{1,60}")


class InputRefused(ModelRefused):
    """The model will not take these texts; perhaps it takes fewer or shorter ones."""


@contextmanager
def translated(whom: str) -> Generator[None]:
    """Turn what httpx raises into ours. Its words may name the address, never a key or a text."""
    try:
        yield
    except (HTTPError, StreamError) as error:
        raise ModelUnavailable(f"{whom} could not be reached ({type(error).__name__})") from error


def result(response: Response, model: str, missing: str) -> JSON:
    """The answer's JSON object, if it is one. `missing` says what to do about an unknown model."""
    if not response.is_success:
        raise failure(response, model, missing)
    answer = json_of(response)
    if answer is None:
        raise ModelOutputInvalid(f"the model {model} did not answer with a JSON object")
    return answer


def failure(response: Response, model: str, missing: str) -> ModelError:
    """Quotes the status and the service's error code only: its words may repeat a key or a text."""
    status, code = response.status_code, code_of(response)
    said = f"the model {model} answered {status}{f' ({code})' if code else ''}"
    if code == OUT_OF_MONEY:
        return ModelRefused(f"{said}: the account has no credit left")
    if status in PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        passing = ModelBusy if status == HTTPStatus.TOO_MANY_REQUESTS else ModelUnavailable
        return passing(said, retry_after=retry_after(response))
    if status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}:
        return ModelRefused(f"{said}: check its API key")
    if status == HTTPStatus.NOT_FOUND:
        return ModelRefused(f"{said}: {missing}")
    if status in ABOUT_THE_INPUT:
        return InputRefused(said)
    return ModelRefused(f"{said}: check its URL")


def json_of(response: Response) -> JSON | None:
    """Endless numbers and endless nesting are no JSON that anybody meant."""
    try:
        answer: object = response.json()
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) else None


def used(usage: object, read: str, written: str) -> tuple[int, int]:
    """The tokens read and written, by the names they are told under; 0 for what is no count."""
    told = usage if isinstance(usage, dict) else {}
    return tokens(told.get(read)), tokens(told.get(written))


def tokens(told: object) -> int:
    return told if type(told) is int and 0 <= told <= MOST_TOKENS else 0


def code_of(response: Response) -> str | None:
    """The service's own name of the failure, if it is a name."""
    match json_of(response):
        case {"error": {"code": str(code)}} | {"error": {"type": str(code)}}:
            return code if CODE.fullmatch(code) else None
        case _:
            return None


def retry_after(response: Response) -> float | None:
    """The seconds the service asks to wait, given as such or as a date."""
    given = response.headers.get("Retry-After", "")
    try:
        if given.replace(".", "", 1).isdecimal():
            return float(given)
        now = parsedate_to_datetime(response.headers.get("Date", ""))
        return max(0.0, (parsedate_to_datetime(given) - now).total_seconds())
    except (TypeError, ValueError):
        return None
