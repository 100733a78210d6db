"""How answers are read, from what they should be down to what they may be."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memweaver.adapters.prompted.ladder import LONGEST, items_in
from memweaver.errors import ModelOutputInvalid

MARKS = ("text", "content")
TEA = {"text": "User likes tea", "turn": 1}
SEA = {"text": "User likes the sea", "turn": 2}
BOTH = json.dumps([TEA, SEA])


def says(*texts: str) -> list[dict[str, Any]]:
    return [{"text": text} for text in texts]


READABLE: dict[str, tuple[str, list[dict[str, Any]]]] = {
    # as asked for
    "object": (json.dumps({"memories": [TEA, SEA]}), [TEA, SEA]),
    "list": (BOTH, [TEA, SEA]),
    "explicitly nothing": ('{"memories": []}', []),
    "an empty list": ("[]", []),
    "spaces around": (f"\n\n  {BOTH}\n", [TEA, SEA]),
    "indented": (json.dumps({"memories": [TEA]}, indent=4), [TEA]),
    "other scripts": ('[{"text": "ユーザーはお茶が好き"}]', says("ユーザーはお茶が好き")),
    # in a fence
    "fenced": (f"```json\n{BOTH}\n```", [TEA, SEA]),
    "fenced, no language": (f"```\n{BOTH}\n```", [TEA, SEA]),
    "fenced, prose around": (f"Here you are:\n```json\n{BOTH}\n```\nAnything else?", [TEA, SEA]),
    "fence not closed": (f"```json\n{BOTH}", [TEA, SEA]),
    "fenced nothing": ("```json\n[]\n```", []),
    "second fence": (f"```\nplain text\n```\nand\n```json\n{BOTH}\n```", [TEA, SEA]),
    "fence inside a string": ('[{"text": "a ```x``` b"}]', says("a ```x``` b")),
    # among prose
    "prose before": (f"Sure, the memories are: {BOTH}", [TEA, SEA]),
    "prose after": (f"{BOTH}\n\nThese are all the memories.", [TEA, SEA]),
    "brackets in prose": (f"As you said [sic] {{really}}: {BOTH}", [TEA, SEA]),
    "a quotation mark in prose": (f'The 5" one: {BOTH}', [TEA, SEA]),
    "a footnote": (f"See [1]. {BOTH}", [TEA, SEA]),
    "nothing, in prose": ("There is nothing to remember: []", []),
    "nothing, explained": ('{"memories": []}\nThe user only greets.', []),
    "brackets in strings": ('x [{"text": "a ] } [ { b"}]', says("a ] } [ { b")),
    "escaped marks in strings": (r'x [{"text": "say \"hi\" \\"}]', [{"text": 'say "hi" \\'}]),
    "first of two lists": (f"{json.dumps([TEA])} or rather {json.dumps([SEA])}", [TEA]),
    # thoughts
    "thoughts": (f"<think>maybe [{{}}]?</think>{BOTH}", [TEA, SEA]),
    "thoughts with a draft": (f'<think>[{{"text": "draft"}}]</think>\n{BOTH}', [TEA, SEA]),
    "thoughts opened by the prompt": (f"so the user likes tea\n</think>\n{BOTH}", [TEA, SEA]),
    "thoughts, then nothing": ('<think>[{"text": "draft"}]</think>{"memories": []}', []),
    "a thought in a string": ('[{"text": "a </think> b"}]', says("a </think> b")),
    # wrapped otherwise
    "candidates": (json.dumps({"candidates": [TEA]}), [TEA]),
    "operations": (json.dumps({"operations": [TEA]}), [TEA]),
    "any one list": (json.dumps({"extracted": [TEA]}), [TEA]),
    "one object": (json.dumps(TEA), [TEA]),
    "one object as the list": (json.dumps({"memories": TEA}), [TEA]),
    "an extra field": (json.dumps({"thought": "hm", "memories": [TEA]}), [TEA]),
    "object after object": (f"{json.dumps(TEA)}\n{json.dumps(SEA)}", [TEA, SEA]),
    "objects in prose": (f"1. {json.dumps(TEA)}\n2. {json.dumps(SEA)}", [TEA, SEA]),
    "other things in the list": (json.dumps([TEA, "and", None, 3]), [TEA]),
    # misspelt
    "a comma at the end": ('[{"text": "a",}, {"text": "b"},]', says("a", "b")),
    "a sum behind a number": ('[{"text": "a", "n": 0.9 (0.8 + 0.1)}]', [{"text": "a", "n": 0.9}]),
    "comments": ('[{"text": "a", // why\n "n": 1 /* how */}]', [{"text": "a", "n": 1}]),
    "words of Python": ('[{"text": "a", "n": None}]', [{"text": "a", "n": None}]),
    "a line break in a string": ('[{"text": "a\nb"}]', says("a\nb")),
    "faults in strings stay": ('[{"text": "1 (one), // None,]"},]', says("1 (one), // None,]")),
    # broken
    "cut": ('{"memories": [{"text": "a"}, {"text": "b"}, {"te', says("a", "b")),
    "cut in a string": ('[{"text": "a"}, {"text": "b', says("a")),
    "one bad among good": ('[{"text": "a"}, {"text": b}, {"text": "c"}]', says("a", "c")),
    "no commas": ('[{"text": "a"} {"text": "c"}]', says("a", "c")),
    "wrongly closed": ('[{"text": "a"}}, {"text": "c"}', says("a", "c")),
}  # fmt: skip

UNREADABLE = {
    "empty": "",
    "spaces": " \n ",
    "prose": "I would remember that the user likes tea.",
    "a refusal": "I'm sorry, but I can't help with that.",
    "a number": "7",
    "null": "null",
    "a string": '"tea"',
    "an empty object": "{}",
    "strings": '["User likes tea"]',
    "numbers": "[1, 2]",
    "no list": '{"memories": null}',
    "a word for the list": '{"memories": "none"}',
    "other objects": '[{"foo": 1}]',
    "an empty list in a word": "the type is names[] as you know",
    "an empty list in what is cut": '{"memories": [{"text": "User likes t", "tags": [], "x',
    "an empty list in what is broken": '{"memories": [{"text": User, "tags": []}]}',
    "cut at once": '{"memories": [{"text": "User li',
    "cut behind nothing": '{"memories": []',
    "only thoughts": '<think>[{"text": "draft"}]',
    "thoughts, then prose": '<think>[{"text": "draft"}]</think>I cannot say.',
    "single quotes": "[{'text': 'a'}]",
    "markup": "<memory>User likes tea</memory>",
}


@pytest.mark.parametrize("case", READABLE)
def test_it_is_read(case: str) -> None:
    answer, expected = READABLE[case]
    assert list(items_in(answer, MARKS)) == expected


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_cannot_be_read_is_not_nothing(case: str) -> None:
    with pytest.raises(ModelOutputInvalid):
        items_in(UNREADABLE[case], MARKS)


N = LONGEST
HOSTILE = {
    "too long": "x" * 10_000_000,
    "lists": "[" * N,
    "objects": "{" * N,
    "both": "{[" * (N // 2),
    "nested lists": "[" * (N // 2) + "]" * (N // 2),
    "nested objects": '{"a":' * (N // 5),
    "nested and cut": "[" * 1000 + "0," * (N // 2 - 1000),
    "strings": '["' * (N // 2),
    "quotation marks": '"' * N,
    "escapes": '["' + "\\" * (N - 2),
    "escaped marks": '["' + '\\"' * (N // 2 - 2),
    "digits": "[" + "1" * (N - 2) + "]",
    "points": "[" + "1." * (N // 2 - 1),
    "remarks": "[" + "1 (" * (N // 3 - 1),
    "comments": "[/*" * (N // 3),
    "commas": "[" + ", " * (N // 2 - 1) + "]",
    "empty objects": "{}" * (N // 2),
    "broken all the way in": "[" * 15 + "x," * (N // 2 - 20) + "]" * 15,
    "crossed": "[}" * (N // 2),
    "thoughts": "<think>" * (N // 7),
    "ends of thoughts": "</think>" * (N // 8),
    "fences": "```" * (N // 3),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_answers_cost_little(case: str) -> None:
    """What is quadratic here takes hours: the suite's patience is the limit."""
    with pytest.raises(ModelOutputInvalid):
        items_in(HOSTILE[case], MARKS)


FRAGMENTS = st.sampled_from(
    [
        *(
            "[",
            "]",
            "{",
            "}",
            '"',
            "\\",
            ",",
            ":",
            "text",
            '"text":',
            '"memories":',
            "1",
            "0.9 (x)",
        ),
        *("//", "/*", "*/", "```", "<think>", "</think>", "None", "\n", " ", "é", "\ud800"),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(FRAGMENTS, max_size=60).map("".join)))
def test_any_answer_is_read_or_named_invalid(answer: str) -> None:
    with suppress(ModelOutputInvalid):
        assert all(isinstance(item, dict) for item in items_in(answer, MARKS))


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=8,
)
ITEMS = st.lists(
    st.dictionaries(st.sampled_from(["text", "turn", "kind", "x"]), VALUES).map(
        lambda item: {"text": "", **item}
    ),
    max_size=4,
)
AROUND = st.sampled_from(["{}", "```json\n{}\n```", "Here: {}", "{}\nDone.", "<think>[]</think>{}"])


@settings(max_examples=100, deadline=None)
@given(ITEMS, AROUND)
def test_whatever_is_listed_is_found_again(items: list[dict[str, Any]], around: str) -> None:
    answer = around.replace("{}", json.dumps({"memories": items}))
    assert list(items_in(answer, MARKS)) == items
