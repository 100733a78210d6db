"""All of `/v1`: what the server can do, the client can ask for, and nothing else."""

import inspect
import json
import re
from collections.abc import Collection, Iterable
from typing import Any

import httpx
import jsonschema_rs
import pytest
from fastapi import FastAPI
from pydantic import TypeAdapter
from tests.unit.client.calls import CALLS, ELSEWHERE, Call, Called, call
from tests.unit.client.described import Operation, described, operations
from tests.unit.client.scripted import Scripted

pytestmark = pytest.mark.anyio

AS_IT_COMES = {
    "POST /v1/chat/completions",
    "GET /v1/models",
    "GET /v1/models/{model_id}",
    "POST /v1/embeddings",
}
"""Operations whose answer is the model's own, of which the client takes what it needs."""


def without_a_method(known: Collection[str], called: Collection[str]) -> list[str]:
    return sorted(set(known) - set(called))


def test_every_operation_has_a_method() -> None:
    assert without_a_method(described(), CALLS) == []


def test_an_operation_without_a_method_is_noticed() -> None:
    server = FastAPI()
    server.get("/v1/weather")(lambda: "fine")
    known = [operation.name for operation in operations(server)]

    assert without_a_method(known, CALLS) == ["GET /v1/weather"]


def test_no_method_asks_for_what_the_server_does_not_have() -> None:
    assert sorted(set(CALLS) - set(described())) == []


def done_twice(known: Iterable[Operation]) -> list[str]:
    """Operations that would not know a request that comes again."""
    return [
        operation.name
        for operation in known
        if operation.name.startswith("POST")
        and operation.name not in AS_IT_COMES
        and "idempotency-key" not in map(str.lower, operation.named("header"))
    ]


def test_whatever_is_created_is_known_when_it_comes_again() -> None:
    assert done_twice(described().values()) == []


def test_an_operation_that_would_be_done_twice_is_noticed() -> None:
    server = FastAPI()
    server.post("/v1/weather")(lambda: "fine")

    assert done_twice(operations(server)) == ["POST /v1/weather"]


async def result_of(called: Called) -> Any:
    if inspect.iscoroutine(called):
        return await called
    return {"items": [one async for one in called]}  # type: ignore[union-attr]  # a generator then


async def asked(operation: Operation, call: Call) -> tuple[httpx.Request, Any]:
    """The request that a call makes, and what it makes of the answer."""
    status, body = operation.answer()
    empty = httpx.Response(status)
    server = Scripted([empty if body is None else httpx.Response(status, json=body)])
    if isinstance(body, dict) and "next" in body:
        last = {**body, "items": [], "next": None}
        server.answers.append(httpx.Response(status, json=last))
    async with server.client() as client:
        result = await result_of(call(client))
    return server.asked[0], result


def pattern(path: str) -> str:
    return re.sub(r"\{\w+\}", "[^/]+", path)


@pytest.mark.parametrize("name", CALLS)
async def test_a_method_asks_for_its_operation(name: str) -> None:
    request, _ = await asked(described()[name], CALLS[name])

    method, path = name.split(" ")
    assert request.method == method
    assert re.fullmatch(pattern(path), request.url.raw_path.decode().split("?")[0])


def unsaid(operation: Operation, request: httpx.Request) -> set[str]:
    """What could be said to the server and is not, though the call says all that it can."""
    body = operation.body or {}
    possible = operation.queries - {"cursor"} | set(body.get("properties", ()))
    said = set(request.url.params) | set(json.loads(request.content or "{}"))
    return possible - said - ELSEWHERE.get(operation.name, frozenset())


@pytest.mark.parametrize("name", CALLS)
async def test_everything_that_can_be_said_to_the_server_can_be_said(name: str) -> None:
    operation = described()[name]
    request, _ = await asked(operation, CALLS[name])

    assert unsaid(operation, request) == set()


async def test_a_field_that_cannot_be_said_is_noticed() -> None:
    operation = described()["POST /v1/memories"]
    request, _ = await asked(operation, call(lambda client: client.memories.add, "tea"))

    assert {"key", "importance", "ai"} <= unsaid(operation, request)


def faults(operation: Operation, request: httpx.Request) -> list[str]:
    """What the server's own description has against a request."""
    wrong = [f"?{name}" for name in request.url.params if name not in operation.queries]
    if (shape := operation.body) is not None:
        checker = jsonschema_rs.Draft202012Validator(dict(shape), validate_formats=True)
        wrong += [str(error) for error in checker.iter_errors(json.loads(request.content))]
    elif request.content:
        wrong.append("a body that nobody reads")
    return wrong


@pytest.mark.parametrize("name", CALLS)
async def test_what_is_sent_is_what_the_description_accepts(name: str) -> None:
    operation = described()[name]
    request, _ = await asked(operation, CALLS[name])

    assert faults(operation, request) == []


async def test_what_the_description_refuses_is_noticed() -> None:
    operation = described()["POST /v1/memories"]
    request, _ = await asked(operation, call(lambda client: client.memories.add, "", importance=7))

    assert len(faults(operation, request)) == 2


@pytest.mark.parametrize("name", [name for name in CALLS if name not in AS_IT_COMES])
async def test_everything_that_is_answered_can_be_read(name: str) -> None:
    operation = described()[name]
    _, result = await asked(operation, CALLS[name])
    _, body = operation.answer()

    if isinstance(result, dict) and isinstance(body, dict):
        body = {"items": body["items"]}
    shape: Any = Any if isinstance(result, dict) else type(result)
    assert TypeAdapter(shape).dump_python(result, mode="json", by_alias=True) == body
