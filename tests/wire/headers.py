"""Which headers of an answer nobody can know of who has only the schema to go by."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from httpx2 import Response

from memweaver.app.edge.headers import SECURE

OF_EVERY_ANSWER = {"content-length", "content-type", "x-request-id", "connection", "vary"} | {
    name.decode() for name, _ in SECURE
}
"""Those of HTTP itself and of the edge."""
OF_OTHER_ORIGINS = "access-control-"


def unannounced(
    schema: Mapping[str, Any], request: tuple[str, str], status: int, headers: Iterable[str]
) -> list[str]:
    """`request` is a method and a path."""
    told = {
        name.lower()
        for operation in operations(schema, *request)
        for name in answer_of(operation, status).get("headers", ())
    }
    known = OF_EVERY_ANSWER | told
    return [one for one in special(headers) if one not in known]


def special(headers: Iterable[str]) -> Iterator[str]:
    for name in map(str.lower, headers):
        if name not in OF_EVERY_ANSWER and not name.startswith(OF_OTHER_ORIGINS):
            yield name


def answer_of(operation: Mapping[str, Any], status: int) -> Mapping[str, Any]:
    responses: Mapping[str, Mapping[str, Any]] = operation["responses"]
    return responses.get(str(status)) or responses.get("default", {})


def operations(schema: Mapping[str, Any], method: str, path: str) -> Iterator[Mapping[str, Any]]:
    for template, methods in schema["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", ".+", template), path) and method.lower() in methods:
            yield methods[method.lower()]


class Announced:
    """Looks at every answer of a server: what a test happens to see is documented."""

    def __init__(self, server: FastAPI) -> None:
        self._server = server

    def __call__(self, response: Response) -> None:
        if not list(special(response.headers)):
            return
        schema, path = self._server.openapi(), response.request.url.path
        asked = response.request.method, path
        if list(operations(schema, *asked)):
            missing = unannounced(schema, asked, response.status_code, response.headers)
            assert missing == [], f"{' '.join(asked)} answers {response.status_code} with {missing}"
