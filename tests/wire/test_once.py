"""Every POST can be sent again under its key: it is answered as before, and done once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest.mock import AsyncMock

import pytest
from fastapi import APIRouter, FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import iter_route_contexts
from tests.wire.house import House, Visitor

from memweaver.interfaces.rest.once import ONCE, OnceRoute, begin
from memweaver.services.sessions import Sessions

KEY = "idempotency-key"
NATURAL = {"/v1/turns", "/v1/memories", "/v1/chat/completions", "/signup"}
"""What is written is named after the key itself, or there once only, as an account is."""
EXCEPTIONS = {
    "/login": "nothing is written: a second token harms nobody",
    "/v1/recall": "nothing is written: it is answered anew",
    "/v1/embeddings": "nothing is written: the model is asked anew",
}


def calls(dependant: Dependant) -> Iterator[object]:
    yield dependant.call
    for inner in dependant.dependencies:
        yield from calls(inner)


def done_again(server: FastAPI) -> list[str]:
    """The POST routes that would do again what they are sent again."""
    return [
        str(route.path)
        for route in iter_route_contexts(server.routes)
        if "POST" in (getattr(route, "methods", None) or ())
        and route.path not in EXCEPTIONS
        and not (takes_a_key(server, str(route.path)) and safe(route))
    ]


def takes_a_key(server: FastAPI, path: str) -> bool:
    parameters = server.openapi()["paths"][path]["post"].get("parameters", [])
    return any((one["in"], one["name"].lower()) == ("header", KEY) for one in parameters)


def safe(route: object) -> bool:
    dependant: Dependant = getattr(route, "dependant")  # noqa: B009 - contexts have no type
    path = str(getattr(route, "path"))  # noqa: B009 - contexts have no type
    original = getattr(route, "original_route", route)
    kept = begin in calls(dependant) and isinstance(original, OnceRoute)
    return kept or path in NATURAL


def test_every_post_can_be_sent_again(house: House) -> None:
    assert done_again(house.server) == []


def test_what_takes_a_key_without_need_says_so_and_nothing_else_is_excepted(house: House) -> None:
    for path in EXCEPTIONS:
        assert takes_a_key(house.server, path)
        [told] = [
            one["description"]
            for one in house.server.openapi()["paths"][path]["post"]["parameters"]
            if one["name"].lower() == KEY
        ]
        assert told.startswith("Nothing is written")
    pages = (Path("docs/howto/many-ais.md")).read_text(encoding="utf-8")
    assert all(f"`{path}`" in pages for path in EXCEPTIONS)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/memories", {"text": "Likes tea."}),
        ("/v1/turns", {"messages": [{"role": "user", "content": "I like tea."}]}),
    ],
)
def test_a_key_is_as_good_as_new_once_what_it_names_is_erased(
    path: str, body: dict[str, object], visitor: Visitor
) -> None:
    first, again = (visitor.ask(f"POST {path}", body, Idempotency_Key="k") for _ in range(2))
    assert first.json()["id"] == again.json()["id"]
    assert visitor.ask(f"DELETE {path}/{first.json()['id']}").status_code == 204
    anew = visitor.ask(f"POST {path}", body, Idempotency_Key="k")
    assert (anew.status_code, anew.json()["id"]) == (201, first.json()["id"])
    assert visitor.ask(f"GET {path}/{anew.json()['id']}").status_code == 200


def test_a_post_that_cannot_be_sent_again_is_noticed() -> None:
    server, router = FastAPI(), APIRouter()
    server.post("/v1/bare")(lambda: "done")
    router.post("/v1/forgetful", dependencies=[ONCE])(lambda: "done")
    server.include_router(router)

    assert done_again(server) == ["/v1/bare", "/v1/forgetful"]


def test_the_same_request_is_done_once(visitor: Visitor) -> None:
    first, second = (
        visitor.ask("POST /v1/sessions", {"name": "Tea"}, Idempotency_Key="k") for _ in range(2)
    )

    assert (first.status_code, first.content) == (second.status_code, second.content)
    assert first.headers["location"] == second.headers["location"]
    assert len(visitor.ask("GET /v1/sessions").json()["items"]) == 1


@pytest.mark.parametrize(
    "request_line, body",  # noqa: PT006 - one name for what is asked
    [
        ("POST /v1/sessions", {"name": "Coffee"}),
        ("POST /session", {"name": "Tea"}),
        ("POST /v1/sessions?ai=helper", {"name": "Tea"}),
    ],
)
def test_another_request_under_the_same_key_is_a_conflict(
    request_line: str, body: object, visitor: Visitor
) -> None:
    visitor.ask("POST /v1/sessions", {"name": "Tea"}, Idempotency_Key="k")
    answer = visitor.ask(request_line, body, Idempotency_Key="k")

    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "conflict")


def test_several_at_once_are_done_once(visitor: Visitor) -> None:
    def ask(_: int) -> int:
        return visitor.ask("POST /v1/ais", {"name": "Tea"}, Idempotency_Key="k").status_code

    with ThreadPoolExecutor(8) as pool:
        told = set(pool.map(ask, range(8)))

    assert told <= {201, 409}
    assert len(visitor.ask("GET /v1/ais").json()["items"]) == 1


def test_what_was_refused_may_be_asked_again(visitor: Visitor) -> None:
    wrong = visitor.ask("POST /v1/sessions", {"name": " "}, Idempotency_Key="k")
    missing = visitor.ask("POST /v1/sessions", {}, Idempotency_Key="k")
    right = visitor.ask("POST /v1/sessions", {"name": "Tea"}, Idempotency_Key="k")

    assert [one.status_code for one in (wrong, missing, right)] == [400, 400, 201]


def test_what_failed_unforeseen_may_be_asked_again_at_once(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(Sessions, "create", AsyncMock(side_effect=RuntimeError))
        failed = visitor.ask("POST /v1/sessions", {"name": "Tea"}, Idempotency_Key="k")
    again = visitor.ask("POST /v1/sessions", {"name": "Tea"}, Idempotency_Key="k")

    assert (failed.status_code, again.status_code) == (500, 201)


def test_a_key_is_its_users_own(house: House, visitor: Visitor) -> None:
    other = house.visitor()
    mine = visitor.ask("POST /v1/sessions", {"name": "Tea"}, Idempotency_Key="k")
    theirs = other.ask("POST /v1/sessions", {"name": "Tea"}, Idempotency_Key="k")

    assert theirs.status_code == 201
    assert theirs.json()["id"] != mine.json()["id"]


def test_a_secret_is_shown_once(visitor: Visitor) -> None:
    new = {"label": "laptop", "permissions": ["read"]}
    first = visitor.ask("POST /v1/keys", new, Idempotency_Key="k")
    second = visitor.ask("POST /v1/keys", new, Idempotency_Key="k")

    assert (first.status_code, second.status_code) == (201, 409)
    assert "secret" in second.json()["error"]["message"]
    assert len(visitor.ask("GET /v1/keys").json()["items"]) == 2


def test_a_credential_that_may_do_less_is_not_told_what_another_was(visitor: Visitor) -> None:
    visitor.ask("POST /v1/sessions", {"name": "Tea"}, Idempotency_Key="k")
    made = visitor.ask("POST /v1/keys", {"label": "reader", "permissions": ["read"]}).json()
    secret = next(value for value in made.values() if str(value).startswith("mw_"))
    reader = Visitor(visitor.user, secret, visitor.client)

    answer = reader.ask("POST /v1/sessions", {"name": "Tea"}, Idempotency_Key="k")
    assert answer.status_code in {403, 409}
    assert "Tea" not in answer.text
