"""What the schema is to say of answers beyond their bodies: headers, and statuses without one."""

from collections.abc import Collection, Mapping
from typing import Any

HEADERS: Mapping[str, tuple[str, str]] = {
    "ETag": ("string", "The revision that is shown, for `If-Match` and `If-None-Match`"),
    "Location": ("string", "Where what was made can be read"),
    "Retry-After": ("integer", "With 429: after how many seconds to ask again"),
    "WWW-Authenticate": ("string", "With 401: how to say who you are"),
}
"""Each with its type and its meaning."""
FAILING = ("Retry-After", "WWW-Authenticate")
MEANING: Mapping[str, str] = {
    "304": "The revision you have is the latest",
    "422": "There is no such predicate",
}
"""Of the statuses that stand below and that no route declares by itself."""

Answers = Mapping[str, Collection[str]]
SHOWN: Answers = {"200": ["ETag"]}
READ: Answers = {"200": ["ETag"], "304": ["ETag"]}
MADE: Answers = {"201": ["Location"]}
MADE_AND_SHOWN: Answers = {"201": ["ETag", "Location"]}
UNKNOWN: Answers = {"422": []}

ANSWERS: Mapping[str, Answers] = {
    "POST /v1/ais": MADE,
    "POST /v1/memories": MADE_AND_SHOWN,
    "GET /v1/memories/{memory_id}": READ,
    "PATCH /v1/memories/{memory_id}": SHOWN,
    "POST /v1/memories/{memory_id}/confirm": SHOWN,
    "POST /v1/memories/{memory_id}/move": SHOWN,
    "POST /v1/relations": {**MADE_AND_SHOWN, **UNKNOWN},
    "GET /v1/relations/{relation_id}": READ,
    "PATCH /v1/relations/{relation_id}": {**SHOWN, **UNKNOWN},
    "POST /v1/sessions": MADE,
    "POST /v1/turns": MADE,
    "PATCH /auth/me/memory/relational/{relation_id}": {**SHOWN, **UNKNOWN},
    "PUT /auth/me/memory/core/{key}": SHOWN,
}
"""By operation and status, the headers; every operation may fail with those of `FAILING`."""


def documented(schema: dict[str, Any]) -> dict[str, Any]:
    """`schema` itself, with what stands here; done twice, it is done once."""
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            answers = ANSWERS.get(f"{method.upper()} {path}", {})
            complete(operation["responses"], {**answers, "default": FAILING})
    return schema


def complete(responses: dict[str, Any], answers: Answers) -> None:
    for status, headers in answers.items():
        response = responses.setdefault(status, added(status, responses))
        if headers:
            response["headers"] = {name: described(name) for name in headers}


def added(status: str, responses: Mapping[str, Any]) -> dict[str, Any]:
    """An error has the shape of all; other answers that are added here have no body."""
    response = {"description": MEANING.get(status, "")}
    failed = status.startswith(("4", "5"))
    return {**response, "content": responses["default"]["content"]} if failed else response


def described(name: str) -> dict[str, Any]:
    kind, meaning = HEADERS[name]
    return {"description": meaning, "schema": {"type": kind}}
