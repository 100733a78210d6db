"""Who may come in, and whose memory it is then."""

import json
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import iter_route_contexts
from tests.wire.house import PROXY, House, Visitor
from tools.reference import rest
from tools.reference.rest import without_a_key

from memweaver.interfaces.door import authenticated

OPEN = {"/health", "/ready", "/signup", "/login", "/docs", "/docs/oauth2-redirect"}
"""Routes that nobody needs a key for."""

TURN = {"messages": [{"role": "user", "text": "The spare key lies under the fern."}]}
MEMORY = {"text": "The spare key lies under the fern."}


def doors(dependant: Dependant) -> Iterator[object]:
    yield dependant.call
    for inner in dependant.dependencies:
        yield from doors(inner)


def routes_without_a_door(server: FastAPI) -> list[str]:
    return [
        str(route.path)
        for route in iter_route_contexts(server.routes)
        if (dependant := getattr(route, "dependant", None))
        and route.path not in OPEN
        and authenticated not in doors(dependant)
    ]


def test_every_route_goes_through_the_one_door(house: House) -> None:
    assert routes_without_a_door(house.server) == []


def test_the_reference_names_every_route_that_needs_no_key(house: House) -> None:
    named = without_a_key(house.server.openapi())

    assert {*named, "/docs", "/docs/oauth2-redirect"} == OPEN
    assert all(f"`{path}`" in rest.page().split("\n## ")[0] for path in named)


def test_a_route_without_the_door_is_noticed() -> None:
    server = FastAPI()
    server.get("/v1/everything")(lambda: "everything")

    assert routes_without_a_door(server) == ["/v1/everything"]


@pytest.mark.requirement("B18", "X15")
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer mw_guessed"},
        {"Authorization": "Basic bXc6bXc="},
        {"X-API-Key": ""},
        {"X-API-Key": "mw_guessed"},
        {"X-API-Key": "\xe9\xe8"},
    ],
)
def test_nobody_comes_in_without_a_valid_key(house: House, headers: dict[str, str]) -> None:
    said = set()
    for path, methods in house.server.openapi()["paths"].items():
        for method in methods:
            if path in OPEN:
                continue
            answer = house.client.request(
                method, path, headers={k.encode(): v.encode("latin-1") for k, v in headers.items()}
            )
            assert answer.status_code == 401, f"{method} {path}"
            assert answer.headers["www-authenticate"] == "Bearer"
            said.add((path in PROXY, answer.text))

    assert {text for proxy, text in said if not proxy} == {
        '{"error":{"code":"unauthenticated","message":"a valid API key or token is needed"}}'
    }
    [refusal] = {text for proxy, text in said if proxy}
    assert json.loads(refusal)["error"] == {
        "message": "a valid API key or token is needed",
        "type": "authentication_error",
        "param": None,
        "code": "unauthenticated",
    }


def test_a_key_is_taken_from_either_header(house: House, visitor: Visitor) -> None:
    for headers in (
        {"Authorization": f"Bearer {visitor.secret}"},
        {"X-API-Key": visitor.secret},
    ):
        assert house.client.get("/v1/turns", headers=headers).status_code == 200


def test_a_revoked_key_opens_nothing_from_then_on(house: House, visitor: Visitor) -> None:
    assert visitor.ask("GET /v1/turns").status_code == 200

    assert house.client.portal
    [key] = house.client.portal.call(house.services.access.keys, visitor.user)
    house.client.portal.call(house.services.access.revoke, key.id)

    assert visitor.ask("GET /v1/turns").status_code == 401


@pytest.mark.requirement("X15")
@pytest.mark.parametrize("name", ["user", "user_id", "owner", "scope", "origin"])
def test_nothing_in_a_request_says_whose_memory_it_is(name: str, visitor: Visitor) -> None:
    for request, body in (
        ("POST /v1/turns", TURN),
        ("POST /v1/memories", MEMORY),
        ("POST /v1/recall", {"query": "key"}),
    ):
        answer = visitor.ask(request, {**body, name: "somebody"})
        assert (answer.status_code, answer.json()["error"]["field"]) == (400, name)

    answer = visitor.ask(f"GET /v1/turns?{name}=somebody")
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, name)


def test_anothers_record_is_answered_byte_for_byte_like_a_missing_one(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()
    turn = ann.ask("POST /v1/turns", TURN).json()["id"]
    memory = ann.ask("POST /v1/memories", MEMORY).json()["id"]

    requests = [
        ("GET /v1/turns/{}", turn, None),
        ("GET /v1/reflections/{}", turn, None),
        ("DELETE /v1/turns/{}", turn, None),
        ("GET /v1/memories/{}", memory, None),
        ("PATCH /v1/memories/{}", memory, {"text": "mine"}),
        ("POST /v1/memories/{}/move", memory, {"tier": "archive"}),
        ("POST /v1/memories/{}/confirm", memory, None),
        ("DELETE /v1/memories/{}", memory, None),
    ]
    for request, theirs, body in requests:
        nobodys = "0" * 8 + theirs[8:]
        foreign, missing = (ben.ask(request.format(one), body) for one in (theirs, nobodys))
        assert foreign.status_code == missing.status_code == 404
        assert foreign.content.replace(theirs.encode(), b"") == missing.content.replace(
            nobodys.encode(), b""
        )
        assert {**foreign.headers, "x-request-id": ""} == {**missing.headers, "x-request-id": ""}

    assert ann.ask(f"GET /v1/turns/{turn}").status_code == 200
    assert ann.ask(f"GET /v1/memories/{memory}").json()["text"] == MEMORY["text"]


def test_visitors_do_not_see_each_other(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()
    ann.ask("POST /v1/turns", TURN)
    ann.ask("POST /v1/memories", MEMORY)

    assert ben.ask("GET /v1/turns").json()["items"] == []
    assert ben.ask("GET /v1/memories").json()["items"] == []
    assert ben.ask("POST /v1/recall", {"query": "Where is the spare key?"}).json()["hits"] == []
    assert ann.ask("POST /v1/recall", {"query": "Where is the spare key?"}).json()["hits"]


def test_two_visitors_may_use_the_same_idempotency_key(house: House) -> None:
    ann, ben = house.visitor(), house.visitor()

    kept = [
        visitor.ask("POST /v1/turns", TURN, Idempotency_Key="1").json()["id"]
        for visitor in (ann, ben, ann)
    ]

    assert kept[0] == kept[2] != kept[1]
