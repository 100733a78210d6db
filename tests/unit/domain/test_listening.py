"""Listening to what a model says: nothing it may send does any harm."""

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memweaver.domain import listening
from memweaver.domain.listening import ToEvents, ToWhole, listener_for

WORDS = ["Fine", ", thank", " you 👩‍🚀", "."]


def event(told: object) -> bytes:
    return f"data: {json.dumps(told)}\n\n".encode()


def choice(said: object, ended: str | None = None, kind: str = "delta") -> dict[str, Any]:
    return {"choices": [{"index": 0, kind: said, "finish_reason": ended}]}


STREAM = b"".join(
    [
        b": a comment\r\n\r\n",
        *(event(choice({"content": word})) for word in WORDS),
        event(choice({}, "stop")),
        event({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 4}}),
        b"data: [DONE]\n\n",
    ]
)


def cut(content: bytes, places: Sequence[int]) -> list[bytes]:
    edges = [0, *sorted(place % (len(content) + 1) for place in places), len(content)]
    return [content[a:b] for a, b in pairwise(edges)]


@given(st.lists(st.integers(min_value=0), max_size=40))
def test_events_are_heard_wherever_they_are_cut(places: list[int]) -> None:
    listener = ToEvents()
    for piece in cut(STREAM, places):
        listener.hear(piece)
    listener.end()

    spoken = listener.spoken
    assert (spoken.text, spoken.ended, spoken.calls) == ("".join(WORDS), "stop", False)
    assert (spoken.tokens_in, spoken.tokens_out) == (7, 4)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("choices", "delta", "message", "content", "finish_reason", "index"),
                    *("usage", "prompt_tokens", "completion_tokens", "tool_calls"),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(st.binary(max_size=30) | JSON.map(event), max_size=8), st.booleans())
def test_no_bytes_make_a_listener_fail(pieces: list[bytes], events: bool) -> None:  # noqa: FBT001 - drawn
    listener = listener_for("text/event-stream; charset=utf-8" if events else "application/json")
    for piece in pieces:
        listener.hear(piece)
    listener.end()

    assert isinstance(listener.spoken.text, str)
    assert listener.spoken.tokens_in >= 0


@given(JSON)
def test_no_json_makes_a_listener_fail(told: object) -> None:
    listener = ToWhole()
    listener.hear(json.dumps(told).encode())
    listener.end()

    assert isinstance(listener.spoken.text, str)


def test_a_whole_answer_is_heard() -> None:
    listener = ToWhole()
    told = choice({"content": "Fine."}, "length", "message")
    for piece in cut(json.dumps({**told, "usage": {"prompt_tokens": 3}}).encode(), [9, 20]):
        listener.hear(piece)
    listener.end()

    assert (listener.spoken.text, listener.spoken.ended) == ("Fine.", "length")
    assert listener.spoken.tokens_in == 3


@pytest.mark.parametrize("said", [{"tool_calls": [{"id": "1"}]}, {"function_call": {"name": "f"}}])
def test_calls_of_tools_are_noticed(said: object) -> None:
    listener = ToEvents()
    listener.hear(event(choice(said)) + event(choice({}, "tool_calls")))

    assert listener.spoken.calls


def test_of_several_choices_the_first_is_heard() -> None:
    listener = ToWhole()
    choices = [{"index": n, "message": {"content": str(n)}} for n in (1, 0)]
    listener.hear(json.dumps({"choices": choices}).encode())
    listener.end()

    assert listener.spoken.text == "0"


@pytest.mark.parametrize("kind", ["text/event-stream", "application/json"])
def test_whoever_speaks_too_long_is_not_heard_to_the_end(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "LONGEST", 200)
    listener = listener_for(kind)
    for _ in range(1000):
        listener.hear(event(choice({"content": "word "})))
    listener.end()

    assert len(listener.spoken.text) < 100
