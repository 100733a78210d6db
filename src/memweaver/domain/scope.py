"""Whose memory it is."""

from dataclasses import dataclass

from memweaver.errors import InvalidInput

LONGEST_NAME = 256
"""Identifiers of users, AIs and sessions are names, not documents."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A user, and optionally one of the user's AIs. Every read and write names one.

    Without `ai` a read sees all of the user's AIs, and a write belongs to none of them.
    With `ai` a read sees, and a write makes, only what belongs to that AI.
    """

    user: str
    ai: str | None = None

    def __post_init__(self) -> None:
        checked_name("user", self.user)
        if self.ai is not None:
            checked_name("ai", self.ai)


def checked_name(field: str, value: str) -> str:
    """`value`, if it can be the name of a user, an AI or a session. Raises `InvalidInput`."""
    if not value.strip() or not value.isprintable():
        raise InvalidInput(f"`{field}` must be a printable, non-empty name")
    if len(value) > LONGEST_NAME:
        raise InvalidInput(f"`{field}` is longer than {LONGEST_NAME} characters")
    return value
