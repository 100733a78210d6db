"""Whatever is sent, the answer is one of ours: never a failure, always in one shape."""

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.wire.house import House, Visitor

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "assistant", "system", "tool"]), "text": st.text()},
        optional={"name": st.text(max_size=8)},
    ),
    max_size=3,
)
TIMES = st.datetimes(timezones=st.timezones()).map(lambda moment: moment.isoformat()) | ANYTHING
FIELDS = {
    "messages": MESSAGES | ANYTHING,
    "session": st.text(max_size=8) | ANYTHING,
    "at": TIMES,
    "as_of": TIMES,
    "valid_from": TIMES,
    "valid_to": TIMES,
    "valid_at": TIMES,
    "metadata": st.dictionaries(st.text(max_size=8), ANYTHING, max_size=3) | ANYTHING,
    "ai": st.text(max_size=8) | ANYTHING,
    "text": st.text() | ANYTHING,
    "query": st.text() | ANYTHING,
    "tier": st.sampled_from(["core", "archive", "long_term_memory", "attic"]) | ANYTHING,
    "tiers": st.lists(st.sampled_from(["core", "graph", "attic"])) | ANYTHING,
    "key": st.text(max_size=8) | ANYTHING,
    "importance": st.floats() | ANYTHING,
    "confidence": st.floats(0, 1) | ANYTHING,
    "supersedes": st.text(max_size=8) | ANYTHING,
    "sources": st.lists(st.text(max_size=8), max_size=3) | ANYTHING,
    "limit": st.integers() | ANYTHING,
    "budget": st.integers() | ANYTHING,
    "turns": st.booleans() | ANYTHING,
    "expected_revision": st.integers() | ANYTHING,
}
REQUESTS = {
    "POST /v1/turns": ("messages", "session", "at", "metadata", "ai"),
    "POST /v1/memories": (
        *("text", "tier", "key", "importance", "confidence", "valid_from", "valid_to"),
        *("supersedes", "sources", "metadata", "ai"),
    ),
    "POST /v1/recall": (
        *("query", "limit", "budget", "tiers", "turns", "session", "as_of", "valid_at", "ai"),
    ),
    "PATCH /v1/memories/{}": ("text", "key", "importance", "metadata", "expected_revision"),
    "POST /v1/memories/{}/move": ("tier",),
}


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, object]:
    line = draw(st.sampled_from(sorted(REQUESTS)))
    names = REQUESTS[line]
    first, *rest = names
    body = st.fixed_dictionaries(
        {first: FIELDS[first]}, optional={name: FIELDS[name] for name in rest}
    )
    return line, draw(body | ANYTHING)


@given(requests())
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_body_makes_the_server_fail(house: House, asked: tuple[str, object]) -> None:
    visitor = house.visitor()
    line, body = asked
    kept = visitor.ask("POST /v1/memories", {"text": "x"}).json()["id"]

    answer = visitor.ask(line.format(kept), body)

    assert_ours(visitor, answer.status_code, answer.text)


@given(
    st.sampled_from(["/v1/turns", "/v1/memories"]),
    st.dictionaries(
        st.sampled_from(["ai", "session", "tier", "cursor", "limit", "q"]), st.text(max_size=12)
    ),
)
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_query_makes_the_server_fail(
    visitor: Visitor, path: str, parameters: dict[str, str]
) -> None:
    answer = visitor.client.get(
        path,
        params=parameters,
        headers={"X-API-Key": visitor.secret},
    )

    assert_ours(visitor, answer.status_code, answer.text)


def assert_ours(visitor: Visitor, status: int, text: str) -> None:
    said: Any = json.loads(text)
    if status >= 400:
        assert status in {400, 404, 409, 413}, text
        assert set(said["error"]) in ({"code", "message"}, {"code", "message", "field"})
    assert visitor.ask("GET /v1/turns").status_code == 200
    assert visitor.ask("GET /v1/memories").status_code == 200
