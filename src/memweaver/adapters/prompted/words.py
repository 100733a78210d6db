"""The words that models use for ours."""

from collections.abc import Mapping

EMPTY = frozenset({"", "null", "none", "n/a", "unknown", "-"})
"""What models write where they should write nothing."""

SHARES: Mapping[object, float] = {"high": 0.9, "medium": 0.6, "low": 0.3}

WISHES: Mapping[object, str] = {
    "add": "keep",
    "new": "keep",
    "create": "keep",
    "store": "keep",
    "remember": "keep",
    "update": "keep",
    "delete": "forget",
    "remove": "forget",
}
KINDS: Mapping[object, str] = {
    "plan": "event",
    "reminder": "event",
    "experience": "event",
    "relationship": "relation",
    "habit": "routine",
    "rule": "instruction",
}
ACTIONS: Mapping[object, str] = {
    "new": "add",
    "create": "add",
    "store": "add",
    "edit": "update",
    "merge": "update",
    "supersede": "replace",
    "remove": "delete",
    "forget": "delete",
    "none": "noop",
    "ignore": "noop",
    "skip": "noop",
}


def meant(given: object, others: Mapping[object, object]) -> object:
    """`given` in our words, whatever its case."""
    word = given.strip().lower() if isinstance(given, str) else given
    if word is None or isinstance(word, str):
        return others.get(word, word)
    return given


def nothing_if_empty(given: object) -> object:
    if isinstance(given, str) and given.strip().lower() in EMPTY:
        return None
    return given
