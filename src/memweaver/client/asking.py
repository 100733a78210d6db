"""What is asked of a server: one request, made ready so that it can be sent again."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote

from pydantic_core import PydanticSerializationError, to_json

from memweaver.errors import InvalidInput

Given = Mapping[str, object]
"""Fields of a query, a body or headers; one that is `None` is left out."""

NOWHERE = {"", ".", ".."}
"""Names that would make a path mean another one."""


@dataclass(frozen=True, slots=True)
class Asked:
    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: dict[str, str]
    content: bytes | None

    @property
    def repeatable(self) -> bool:
        """Whether it may be done twice and yet be done once."""
        return self.method != "PATCH"


def asked(operation: str, *names: str, query: Given, body: Given | None, headers: Given) -> Asked:
    """`operation` is a method and a path, in which `names` take the places of `{}`.

    Whatever creates something carries a key, by which the server knows it when it comes again.

    Raises:
        InvalidInput: a name cannot stand in a path, or a value cannot be sent.
    """
    method, path = operation.split(" ", 1)
    sent = {name: sendable(name, value) for name, value in present(headers)}
    if method == "POST":
        sent.setdefault("Idempotency-Key", secrets.token_urlsafe(16))
    return Asked(
        method,
        path.format(*map(segment, names)),
        tuple((name, one) for name, value in present(query) for one in texts(value)),
        sent if body is None else {**sent, "Content-Type": "application/json"},
        None if body is None else json_of(dict(present(body))),
    )


def present(given: Given) -> list[tuple[str, object]]:
    return [(name, value) for name, value in given.items() if value is not None]


def segment(name: str) -> str:
    if name in NOWHERE:
        raise InvalidInput(f"{name!r} is no name of anything")
    try:
        return quote(name, safe="")
    except UnicodeEncodeError as error:
        raise InvalidInput("half a character is no name of anything") from error


def texts(value: object) -> list[str]:
    """A value of a query, or several, as they are written."""
    match value:
        case bool():
            return [str(value).lower()]
        case datetime():
            return [value.isoformat()]
        case list() | tuple() | set() | frozenset():
            return [text for one in value for text in texts(one)]
        case _:
            return [str(value)]


def sendable(name: str, value: object) -> str:
    text = str(value)
    if not (text.isascii() and text.isprintable()):
        raise InvalidInput(f"`{name}` has characters that a header cannot carry")
    return text


def json_of(body: object) -> bytes:
    try:
        return to_json(body)
    except (PydanticSerializationError, ValueError) as error:
        raise InvalidInput("the request has values that JSON cannot carry") from error
