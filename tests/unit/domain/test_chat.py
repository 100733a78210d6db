"""Reading a request for a chat: whose words are whose, and where memory goes."""

from typing import Any

import pytest

from memweaver.domain.chat import (
    cost_of,
    cost_of_vectors,
    forces_a_call,
    heard,
    passed_on,
    reminded,
)
from memweaver.errors import InvalidInput


def user(content: object) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(content: object) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


@pytest.mark.parametrize(
    "request_", [{}, {"messages": None}, {"messages": []}, {"messages": ["hello"]}]
)
def test_a_request_without_messages_is_refused(request_: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=r"^`messages`"):
        heard(request_)


@pytest.mark.parametrize("role", [["user"], {"user": 1}, 1, None])
def test_a_role_that_is_no_string_is_refused_by_name(role: object) -> None:
    messages = [assistant("Hello"), {"role": role, "content": "Hi"}, user("How are you?")]

    with pytest.raises(InvalidInput, match=r"^`messages\[1\]\.role` must be a string$"):
        heard({"messages": messages})


def test_the_last_user_message_is_what_was_said() -> None:
    said = heard({"messages": [user("One"), assistant("Two"), user("Three"), {"role": "tool"}]})

    assert said is not None
    assert (said.place, said.text, said.errand) == (2, "Three", None)


@pytest.mark.parametrize(
    "messages",
    [
        [assistant("Hello")],
        [user("  ")],
        [user(None)],
        [user([{"type": "text"}])],
        [user({"text": "x"})],
    ],
)
def test_nobody_said_anything(messages: list[dict[str, Any]]) -> None:
    assert heard({"messages": messages}) is None


def test_of_a_message_in_parts_the_words_are_heard() -> None:
    said = heard({"messages": [user([{"type": "text", "text": "Look"}, {"type": "image_url"}])]})

    assert said is not None
    assert said.text == "Look\n[image]"


@pytest.mark.parametrize(
    ("metadata", "errand"), [({"task": "tags_generation"}, "tags"), ({}, None), ("odd", None)]
)
def test_a_front_end_may_name_its_errand(metadata: object, errand: str | None) -> None:
    said = heard({"messages": [user("Hello")], "metadata": metadata})

    assert said is not None
    assert said.errand == errand


def test_a_turn_keeps_its_name_while_tools_are_asked_and_when_it_is_tried_again() -> None:
    system = {"role": "system", "content": "Today is Monday."}
    before = [system, user("Hello"), assistant("Hi"), user("The weather?")]
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
    rounds = [before, before, [*before, call, {"role": "tool", "content": "rain"}]]

    turns = {said.turn for one in rounds if (said := heard({"messages": one}))}

    assert len(turns) == 1
    assert None not in turns


def test_another_turn_has_another_name() -> None:
    ones = [
        [user("Hello"), assistant("Hi"), user("Yes")],
        [user("Hello"), assistant("Hi"), user("Yes"), assistant("Good"), user("Yes")],
        [user("Hello"), assistant("Ho"), user("Yes")],
    ]

    assert len({said.turn for one in ones if (said := heard({"messages": one}))}) == 3


def asked_of(*parts: object) -> str | None:
    said = heard({"messages": [user("Hello"), assistant("Hi"), user([WHAT, *parts])]})
    assert said
    return said.turn


WHAT = {"type": "text", "text": "What is this?"}
CAT, DOG = ({"type": "image_url", "image_url": {"url": f"data:{one}"}} for one in ("cat", "dog"))


def test_the_same_words_about_another_picture_are_another_turn() -> None:
    assert len({asked_of(), asked_of(CAT), asked_of(DOG), asked_of(CAT, DOG)}) == 4
    assert asked_of(CAT) == asked_of(dict(reversed(CAT.items())))


def test_a_picture_shown_before_makes_another_conversation() -> None:
    ones = [[user([WHAT, one]), assistant("Look"), user("Sure?")] for one in (CAT, DOG, "odd")]

    assert len({said.turn for one in ones if (said := heard({"messages": one}))}) == 3


def test_words_are_the_same_in_parts_or_not_and_marked_for_a_cache_or_not() -> None:
    marked = {**WHAT, "cache_control": {"type": "ephemeral"}}
    ones: list[object] = [WHAT["text"], [WHAT], [marked]]
    before = [user("Hello"), assistant("Hi")]

    assert (
        len({said.turn for one in ones if (said := heard({"messages": [*before, user(one)]}))}) == 1
    )


def test_words_without_a_conversation_have_no_name_for_they_may_be_said_again() -> None:
    said = heard({"messages": [{"role": "system", "content": "Be kind"}, user("Yes")]})

    assert said is not None
    assert said.turn is None


def test_what_is_ours_and_what_would_steer_us_is_not_passed_on() -> None:
    request = {
        "messages": [],
        "ai_uuid": "1",
        "ai_name": "Ada",
        "base_url": "http://elsewhere",
        "api_base": "http://elsewhere",
        "api_key": "sk-1",
        "metadata": {"memweaver_session": "s", "theirs": "t"},
        "unknown": {"a": 1},
    }

    assert passed_on(request, "small") == {
        "messages": [],
        "metadata": {"theirs": "t"},
        "unknown": {"a": 1},
        "model": "small",
    }


@pytest.mark.parametrize(
    ("given", "passed"),
    [({"memweaver_record": "off"}, None), ({}, {}), ("odd", "odd"), ({"a": "b"}, {"a": "b"})],
)
def test_metadata_that_was_only_ours_is_gone(given: object, passed: object) -> None:
    assert passed_on({"metadata": given, "model": "m"}, "small").get("metadata") == passed


def test_memory_stands_before_the_words_in_the_same_message() -> None:
    request = {"messages": [user("One"), user("Two")], "n": 1}

    reminding = reminded(request, 1, "<memory>")

    assert reminding == {"messages": [user("One"), user("<memory>\n\nTwo")], "n": 1}
    assert request["messages"] == [user("One"), user("Two")]


def test_memory_is_a_part_of_its_own_among_parts() -> None:
    part = {"type": "image_url", "image_url": {"url": "data:"}}

    [message] = reminded({"messages": [user([part])]}, 0, "<memory>")["messages"]

    assert message["content"] == [{"type": "text", "text": "<memory>"}, part]


@pytest.mark.parametrize(
    ("limits", "cost"),
    [
        ({}, 258),
        ({"max_tokens": 10}, 12),
        ({"max_tokens": 10, "max_completion_tokens": 5}, 7),
        ({"max_tokens": 10**30}, 10**9 + 2),
        ({"max_tokens": "10"}, 258),
        ({"max_tokens": -10}, 258),
        ({"max_tokens": True}, 258),
    ],
)
def test_a_chat_costs_what_is_read_and_what_may_be_written(
    limits: dict[str, Any], cost: int
) -> None:
    assert cost_of({"messages": [user("Hello"), user([])], **limits}) == cost


@pytest.mark.parametrize(
    ("given", "cost"),
    [("Hello", 2), (["Hello", "Hello"], 4), ([1, 2, 3], 3), ([[1, 2], [3]], 3), (None, 1)],
)
def test_vectors_cost_what_is_read(given: object, cost: int) -> None:
    assert cost_of_vectors({"input": given}) == cost


NAMED = {"type": "function", "function": {"name": "Weather"}}


@pytest.mark.parametrize(
    ("wish", "forced"),
    [
        ({"tool_choice": "required"}, True),
        ({"tool_choice": NAMED}, True),
        ({"function_call": {"name": "Weather"}}, True),
        ({"tool_choice": "auto", "function_call": "auto"}, False),
        ({"tool_choice": {"type": "allowed_tools"}}, False),
        ({}, False),
    ],
)
def test_where_a_call_is_forced_a_turn_is_known_again(
    wish: dict[str, Any], *, forced: bool
) -> None:
    first = heard({"messages": [user("Hello")], **wish})
    after = heard({"messages": [user("Hello"), assistant(None), {"role": "tool"}]})
    assert forces_a_call(wish) is forced
    assert first
    assert after
    assert first.turn == (after.turn if forced else None)
