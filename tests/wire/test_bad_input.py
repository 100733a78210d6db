"""What cannot be is refused by name, and nothing of it is kept."""

from collections.abc import Iterable, Iterator, Mapping
from typing import get_args

import pytest
from fastapi.routing import iter_route_contexts
from pydantic import BaseModel
from tests.wire.house import PROXY, House, Visitor

from memweaver.interfaces.rest.wire.fields import Body, Wire

BEGUN = b'{"messages": [{"role": "user", "text": "x"}], "metadata": {"a": '
SAID = [{"role": "user", "text": "Hello"}]

BAD_TURNS: Mapping[str, tuple[object, str | None]] = {
    "not an object": ([], "body"),
    "no messages": ({}, "messages"),
    "empty messages": ({"messages": []}, "messages"),
    "too many messages": ({"messages": SAID * 65}, "messages"),
    "unknown field": ({"messages": SAID, "sesion": "x"}, "sesion"),
    "unknown field within": (
        {"messages": [{"role": "user", "text": "x", "txt": "x"}]},
        "messages.0.txt",
    ),
    "unknown role": ({"messages": [{"role": "king", "text": "x"}]}, "messages.0.role"),
    "text of a number": ({"messages": [{"role": "user", "text": 1}]}, "messages.0.text"),
    "text of nothing": ({"messages": [{"role": "user", "text": ""}]}, "messages.0.text"),
    "text in no parts": ({"messages": [{"role": "user", "text": []}]}, "messages.0.text"),
    "text in odd parts": ({"messages": [{"role": "user", "text": ["x"]}]}, "messages.0.text"),
    "text said twice": (
        {"messages": [{"role": "user", "text": "x", "content": "y"}]},
        "messages.0.content",
    ),
    "half a part": (
        {"messages": [{"role": "user", "content": [{"type": "text"}]}]},
        "messages.0.content",
    ),
    "half a character": ({"messages": [{"role": "user", "text": "\ud800"}]}, "messages.0.text"),
    "name with a line break": (
        {"messages": [{"role": "user", "text": "x", "name": "a\nb"}]},
        "name",
    ),
    "blank session": ({"messages": SAID, "session": " "}, "session"),
    "endless session": ({"messages": SAID, "session": "x" * 300}, "session"),
    "blank ai": ({"messages": SAID, "ai": ""}, "ai"),
    "half an ai": ({"messages": SAID, "ai": "\udfff"}, "ai"),
    "time without a zone": ({"messages": SAID, "at": "2026-05-01T10:00:00"}, "at"),
    "time before time": ({"messages": SAID, "at": "0001-01-01T00:00:00+14:00"}, "at"),
    "time after time": ({"messages": SAID, "at": "9999-12-31T23:59:59-14:00"}, "at"),
    "no time at all": ({"messages": SAID, "at": "yesterday"}, "at"),
    "metadata as a list": ({"messages": SAID, "metadata": []}, "metadata"),
    "half a metadata": ({"messages": SAID, "metadata": {"a": ["\udead"]}}, "metadata"),
}
REFUSALS = {"invalid_input", "invalid_filter", "too_large"}
BAD_MEMORIES: Mapping[str, tuple[object, str | None]] = {
    "no text": ({"tier": "semantic"}, "text"),
    "blank text": ({"text": "  "}, "text"),
    "unknown tier": ({"text": "x", "tier": "attic"}, "tier"),
    "tier of a number": ({"text": "x", "tier": 3}, "tier"),
    "key out of the core": ({"text": "x", "key": "name"}, "key"),
    "unknown authority": ({"text": "x", "authority": "law"}, "authority"),
    "importance beyond one": ({"text": "x", "importance": 1.1}, "importance"),
    "confidence of a word": ({"text": "x", "confidence": "high"}, "confidence"),
    "importance of a truth": ({"text": "x", "importance": True}, "importance"),
    "importance in words": ({"text": "x", "importance": "0.5"}, "importance"),
    "moment in seconds": ({"text": "x", "valid_from": 5}, "valid_from"),
    "moment of a truth": ({"text": "x", "valid_from": True}, "valid_from"),
    "moment in seconds, as text": ({"text": "x", "valid_to": "1700000000"}, "valid_to"),
    "ends before it begins": (
        {
            "text": "x",
            "valid_from": "2026-05-02T00:00:00Z",
            "valid_to": "2026-05-01T00:00:00Z",
        },
        "valid_to",
    ),
    "origin by the caller": ({"text": "x", "origin": "user"}, "origin"),
}
BAD_QUESTIONS: Mapping[str, tuple[object, str | None]] = {
    "no query": ({}, "query"),
    "half a query": ({"query": "\ud801"}, "query"),
    "no limit at all": ({"query": "x", "limit": 0}, "limit"),
    "no end of limit": ({"query": "x", "limit": 10**30}, "limit"),
    "limit of a truth": ({"query": "x", "limit": True}, "limit"),
    "limit in words": ({"query": "x", "limit": "5"}, "limit"),
    "limit with a fraction": ({"query": "x", "limit": 5.0}, "limit"),
    "budget of a truth": ({"query": "x", "budget": True}, "budget"),
    "budget in words": ({"query": "x", "budget": "9"}, "budget"),
    "budget below nothing": ({"query": "x", "budget": -1}, "budget"),
    "tiers as a word": ({"query": "x", "tiers": "core"}, "tiers"),
    "turns as a word": ({"query": "x", "turns": "perhaps"}, "turns"),
    "turns as yes": ({"query": "x", "turns": "yes"}, "turns"),
    "turns as a number": ({"query": "x", "turns": 1}, "turns"),
    "moment as a number": ({"query": "x", "as_of": 1_700_000_000}, "as_of"),
}
CASES = [
    pytest.param(request, body, field, id=f"{request.split('/')[-1]}: {name}")
    for request, cases in (
        ("POST /v1/turns", BAD_TURNS),
        ("POST /v1/memories", BAD_MEMORIES),
        ("POST /v1/recall", BAD_QUESTIONS),
    )
    for name, (body, field) in cases.items()
]


@pytest.mark.requirement("B12")
@pytest.mark.parametrize(("request_line", "body", "field"), CASES)
def test_what_cannot_be_is_refused_by_name(
    request_line: str, body: object, field: str, visitor: Visitor
) -> None:
    answer = visitor.ask(request_line, body)

    assert answer.status_code in {400, 413}, answer.text
    assert answer.json()["error"]["code"] in REFUSALS
    assert answer.json()["error"]["field"] == field
    assert visitor.ask("GET /v1/turns").json()["items"] == []
    assert visitor.ask("GET /v1/memories").json()["items"] == []


def bodies_of(shape: object) -> Iterator[type[BaseModel]]:
    """All models that are read with a field of that type, itself if it is one."""
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        yield shape
        for field in shape.model_fields.values():
            yield from bodies_of(field.annotation)
    for part in get_args(shape):
        yield from bodies_of(part)


def lax(models: Iterable[type[BaseModel]]) -> set[str]:
    return {model.__name__ for model in models if not issubclass(model, Body)}


@pytest.mark.requirement("B12")
def test_every_body_is_strict_about_types(house: House) -> None:
    read = [
        model
        for route in iter_route_contexts(house.server.routes)
        if (body := getattr(route, "body_field", None))
        for model in bodies_of(body.field_info.annotation)
    ]

    assert {"RecallRequest", "NewTurn", "MessageBody"} <= {model.__name__ for model in read}
    assert lax(read) == set()


def test_a_body_that_takes_one_type_for_another_is_noticed() -> None:
    class Lax(Wire):
        pass

    class Strict(Body):
        within: list[Lax] | None

    assert lax(bodies_of(Strict)) == {"Lax"}


def test_a_whole_number_is_a_number_and_choices_are_text(visitor: Visitor) -> None:
    given = {"text": "x", "importance": 1, "authority": "fact", "tier": "semantic"}
    moment = "2026-05-01T09:30:00+02:00"

    kept = visitor.ask("POST /v1/memories", {**given, "valid_from": moment})

    assert kept.status_code == 201, kept.text
    assert (kept.json()["importance"], kept.json()["valid_from"]) == (1.0, "2026-05-01T07:30:00Z")


@pytest.mark.parametrize(
    ("request_line", "body", "limit"),
    [
        ("POST /v1/turns", {"messages": [{"role": "user", "text": "x" * 64_001}]}, "64000"),
        (
            "POST /v1/turns",
            {"messages": [{"role": "user", "text": [{"type": "text", "text": "x" * 64_001}]}]},
            "64000",
        ),
        ("POST /v1/turns", {"messages": SAID, "metadata": {"a": "x" * 20_000}}, "16384"),
        ("POST /v1/memories", {"text": "x" * 64_001}, "64000"),
        ("POST /v1/recall", {"query": "x" * 64_001}, "64000"),
        ("POST /v1/memories", {"text": "x" * 1_100_000}, "1048576"),
    ],
)
def test_what_is_too_large_is_refused_with_the_limit(
    request_line: str, body: object, limit: str, visitor: Visitor
) -> None:
    answer = visitor.ask(request_line, body)

    assert answer.status_code == 413
    assert answer.json()["error"]["code"] == "too_large"
    assert limit in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    "text", [" ", "x" * 64_000, "a\x00b", "\x00\x01\x02\x7f\x80\xff\ufffd", "%PDF-1.7\r\n\x0c"]
)
def test_odd_words_are_kept_word_for_word(text: str, visitor: Visitor) -> None:
    kept = visitor.ask("POST /v1/turns", {"messages": [{"role": "user", "text": text}]})

    assert kept.status_code == 201, kept.text
    [message] = visitor.ask(f"GET /v1/turns/{kept.json()['id']}").json()["messages"]
    assert message["text"] == text


def test_a_body_that_does_not_say_its_size_is_refused_too(visitor: Visitor) -> None:
    answer = visitor.client.post(
        "/v1/turns",
        content=(b" " * 65_536 for _ in range(20)),
        headers={"X-API-Key": visitor.secret, "Content-Type": "application/json"},
    )

    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"nothing",
        BEGUN + b"NaN}}",
        BEGUN + b"1e999}}",
        BEGUN + b"[" * 900 + b"]" * 900 + b"}}",
        BEGUN + b"[" * 100_000 + b"]" * 100_000 + b"}}",
        BEGUN + b"9" * 10_000 + b"}}",
    ],
    ids=lambda body: repr(body.removeprefix(BEGUN)[:8]),
)
def test_a_body_that_is_no_json_is_refused(body: bytes, visitor: Visitor) -> None:
    answer = visitor.client.post(
        "/v1/turns",
        content=body,
        headers={"X-API-Key": visitor.secret, "Content-Type": "application/json"},
    )

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "invalid_input"


@pytest.mark.parametrize("said", [None, "application/x-www-form-urlencoded", "text/plain"])
def test_json_that_does_not_say_so_is_told_how(said: str | None, visitor: Visitor) -> None:
    answer = visitor.client.post(
        "/v1/recall",
        content=b'{"query": "x"}',
        headers={"X-API-Key": visitor.secret, **({"Content-Type": said} if said else {})},
    )

    assert answer.status_code == 400
    assert "`Content-Type: application/json`" in answer.json()["error"]["message"]


@pytest.mark.parametrize(
    ("request_line", "body"),
    [
        ("POST /v1/turns", {"messages": SAID}),
        ("POST /v1/memories", {"text": "x"}),
        ("POST /v1/sessions", {"name": "x"}),
        ("POST /chat", {"message": "x"}),
    ],
)
@pytest.mark.parametrize("name", ["x" * 257, "", "x\ty", "line\x7fbreak"])
def test_an_idempotency_key_is_a_name(
    name: str, request_line: str, body: object, visitor: Visitor
) -> None:
    answer = visitor.ask(request_line, body, Idempotency_Key=name)

    assert answer.status_code == 400
    assert answer.json()["error"]["field"] == "idempotency-key"


def test_unknown_parameters_are_refused_by_every_route(house: House) -> None:
    visitor = house.admin()
    bodies = {
        "/v1/turns": {"messages": SAID},
        "/v1/memories": {"text": "x"},
        "/v1/recall": {"query": "x"},
        "/v1/memories/{memory_id}": {"text": "x"},
        "/v1/memories/{memory_id}/move": {"tier": "core"},
        "/signup": {"name": "x", "email": "x", "password": "x", "confirm": "x"},
        "/login": {"email": "x", "password": "x"},
        "/v1/me/password": {"current": "x", "password": "x", "confirm": "x"},
        "/v1/keys": {"label": "x"},
        "/v1/users": {"name": "x", "email": "x", "password": "x"},
        "/v1/users/{user}": {"disabled": True},
        "/chat": {"message": "x"},
        "/v1/webhooks": {"url": "https://example.com"},
    }
    for path, methods in house.server.openapi()["paths"].items():
        if path in PROXY:
            continue
        for method in methods:
            body = bodies.get(path) if method in {"post", "patch"} else None
            whose = "&user=ann" if path.startswith("/v1/admin/jobs/") else ""
            answer = visitor.ask(f"{method.upper()} {path}?colour=red{whose}", body)
            assert (answer.status_code, answer.json()["error"]["field"]) == (
                400,
                "colour",
            ), f"{method} {path}"


@pytest.mark.parametrize(
    "name", ["%00", "..%2f..", "%ff", "x" * 3000, "' OR 1=1 --", "%F0%9F%A6%8A", "*"]
)
def test_an_id_of_any_shape_is_only_missing(name: str, visitor: Visitor) -> None:
    assert visitor.ask(f"GET /v1/turns/{name}").status_code == 404
    assert visitor.ask(f"DELETE /v1/memories/{name}").status_code == 404
