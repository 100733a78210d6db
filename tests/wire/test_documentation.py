"""The documentation that the server shows of itself."""

import re
from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import pytest
from fastapi import FastAPI, Response
from fastapi.testclient import TestClient
from httpx2 import Response as Answer
from tests.wire.headers import Announced, unannounced
from tests.wire.house import PROXY, House, Visitor

from memweaver.interfaces.rest import wire
from memweaver.interfaces.rest.documented import ANSWERS
from memweaver.interfaces.rest.wire.fields import Wire

SHAPES = [
    shape
    for found in iter_modules(wire.__path__, f"{wire.__name__}.")
    for shape in vars(import_module(found.name)).values()
    if isinstance(shape, type)
    and issubclass(shape, Wire)
    and "json_schema_extra" in shape.__dict__["model_config"]
]

WITH_A_PREDICATE = {
    ("post", "/v1/relations"),
    ("patch", "/v1/relations/{relation_id}"),
    ("patch", "/auth/me/memory/relational/{relation_id}"),
}
"""The only ones that answer 422: whatever else is wrong with a request is 400."""


@pytest.mark.parametrize("shape", SHAPES)
def test_every_example_is_a_valid_one(shape: type[Wire]) -> None:
    for example in shape.model_json_schema()["examples"]:
        shape.model_validate(example)


def test_every_body_that_is_read_has_an_example(house: House) -> None:
    schema = house.server.openapi()
    bodies = {
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].split("/")[-1]
        for path, methods in schema["paths"].items()
        for operation in methods.values()
        if "requestBody" in operation and path not in PROXY
    }
    passed_on = [
        schema["paths"][path]["post"]["requestBody"]["content"]["application/json"]
        for path in PROXY
        if "post" in schema["paths"][path]
    ]

    assert bodies
    assert all("example" in body for body in passed_on)
    assert all("examples" in schema["components"]["schemas"][name] for name in bodies)


def test_every_route_says_what_it_does_and_how_it_fails(house: House) -> None:
    for path, methods in house.server.openapi()["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], f"{method} {path}"
            assert ("422" in operation["responses"]) == ((method, path) in WITH_A_PREDICATE)
            assert "default" in operation["responses"], f"{method} {path}"


def test_the_page_loads_nothing_from_elsewhere(house: House) -> None:
    page = house.client.get("/docs")
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page.text)

    assert page.status_code == 200
    assert loaded
    assert all(house.client.get(address).status_code == 200 for address in loaded)
    assert not any("//" in address for address in loaded)


STREAM = "text/event-stream"
"""The pieces of an answer whose whole is shown."""


def undocumented(schema: Mapping[str, Any]) -> Iterator[str]:
    """What is missing for somebody who has only the schema to go by."""
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            missing = (*unsaid(operation), *unshown(schema, operation))
            yield from (f"{method} {path}: {part}" for part in missing)


def unsaid(operation: Mapping[str, Any]) -> Iterator[str]:
    yield from (part for part in ("summary", "description", "tags") if not operation.get(part))
    if "default" not in operation["responses"]:
        yield "errors"
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "header" and not parameter.get("description"):
            yield f"header {parameter['name']}"


def unshown(schema: Mapping[str, Any], operation: Mapping[str, Any]) -> Iterator[str]:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if body is not None and not shown(schema, body):
        yield "example of the body"
    for status, answer in operation["responses"].items():
        for kind, content in answer.get("content", {}).items():
            if status.startswith("2") and kind != STREAM and not shown(schema, content):
                yield f"example of the answer {status}"


def shown(schema: Mapping[str, Any], content: Mapping[str, Any]) -> bool:
    """Whether there is an example, of the whole or of what a list is made of."""
    if "examples" in content or "example" in content:
        return True
    return exemplified(schema, content["schema"])


def exemplified(schema: Mapping[str, Any], shape: Mapping[str, Any]) -> bool:
    if "$ref" in shape:
        shape = schema["components"]["schemas"][shape["$ref"].split("/")[-1]]
    if "examples" in shape:
        return True
    items = shape.get("items") or shape.get("properties", {}).get("items", {}).get("items")
    return bool(items) and exemplified(schema, items)


def test_whoever_has_only_the_schema_has_all_they_need(house: House) -> None:
    assert list(undocumented(house.server.openapi())) == []


def test_what_is_not_documented_is_noticed() -> None:
    bare = {"content": {"application/json": {"schema": {"type": "object"}}}}
    operation = {
        "requestBody": bare,
        "responses": {"200": bare},
        "parameters": [{"in": "header", "name": "X-Odd"}],
    }
    schema = {"paths": {"/odd": {"post": operation}}}

    assert list(undocumented(schema)) == [
        "post /odd: summary",
        "post /odd: description",
        "post /odd: tags",
        "post /odd: errors",
        "post /odd: header X-Odd",
        "post /odd: example of the body",
        "post /odd: example of the answer 200",
    ]


def test_an_answer_has_the_statuses_and_headers_that_the_schema_names(visitor: Visitor) -> None:
    made = visitor.ask("POST /v1/memories", {"text": "tea"})
    same = visitor.ask(f"GET {made.headers['location']}", If_None_Match=made.headers["etag"])
    relation = visitor.ask(
        "POST /v1/relations", {"subject": "Marco", "predicate": "reports_to", "object": "Ada"}
    )
    literal = f"/auth/me/memory/relational/{relation.json()['id']}"
    odd = visitor.ask(f"PATCH {literal}", {"predicate": "envies"})
    nobody = visitor.client.get("/v1/memories")
    schema = visitor.client.get("/openapi.json").json()["paths"]

    answers = schema["/v1/memories"]["post"]["responses"]
    assert set(answers["201"]["headers"]) == {"ETag", "Location"} <= headers_of(made)
    answers = schema["/v1/memories/{memory_id}"]["get"]["responses"]
    assert (same.status_code, set(answers["304"]["headers"])) == (304, {"ETag"})
    assert "content" not in answers["304"]
    answers = schema["/auth/me/memory/relational/{relation_id}"]["patch"]["responses"]
    assert odd.status_code == 422
    assert answers["422"]["content"] == answers["default"]["content"]
    assert set(answers["default"]["headers"]) == {"Retry-After", "WWW-Authenticate"}
    assert (nobody.status_code, nobody.headers["www-authenticate"]) == (401, "Bearer")


def headers_of(response: Answer) -> set[str]:
    return {name for name in ("ETag", "Location") if name in response.headers}


def test_every_answer_that_is_documented_apart_is_one_of_an_operation(house: House) -> None:
    paths = house.server.openapi()["paths"]
    known = {f"{method.upper()} {path}" for path in paths for method in paths[path]}
    assert set(ANSWERS) <= known


def test_a_header_that_is_not_documented_is_noticed() -> None:
    server = FastAPI()

    @server.get("/odd/{name}")
    def odd(name: str, response: Response) -> str:
        response.headers["X-Odd"] = name
        return name

    assert unannounced(server.openapi(), ("GET", "/odd/one"), 200, ["X-Odd"]) == ["x-odd"]
    with TestClient(server) as client:
        client.event_hooks = {"response": [Announced(server)]}
        with pytest.raises(AssertionError, match=r"GET /odd/one answers 200 with \['x-odd'\]"):
            client.get("/odd/one")
