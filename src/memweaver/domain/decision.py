"""What is done about a candidate."""

from dataclasses import dataclass
from enum import StrEnum


class Action(StrEnum):
    ADD = "add"
    UPDATE = "update"
    """The target says it in part: it gets a new revision with `text`."""
    REPLACE = "replace"
    """The target no longer holds: it is closed, and the candidate takes its place."""
    DELETE = "delete"
    """The target is closed, and nothing takes its place."""
    NOOP = "noop"


@dataclass(frozen=True, slots=True)
class Decision:
    """`target` is the id of the memory concerned, `text` what to keep if not the candidate's.

    `because` is one of our own words for the reason, fit for logs and counters.
    """

    action: Action
    because: str
    target: str | None = None
    text: str | None = None
