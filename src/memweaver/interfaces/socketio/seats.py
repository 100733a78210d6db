"""Who is connected: with which credential, and in which rooms."""

from dataclasses import dataclass, field

from memweaver.domain.scope import Scope
from memweaver.services.listen import Hearer

EVERYTHING = "*"
"""The room of all that is the user's."""


@dataclass(slots=True)
class Seat:
    """One socket. Without a `secret` it may do nothing but authenticate."""

    line: str
    """The connection it is on."""
    secret: str | None = field(default=None, repr=False)
    user: str | None = None
    rooms: dict[str, Hearer] = field(default_factory=dict[str, Hearer])
    joining: Hearer | None = None
    """Who is told events as soon as it has been told that it joined."""


def room_shown(scope: Scope) -> str:
    return scope.ai or EVERYTHING


def room_of(scope: Scope) -> str:
    """The room on the server: no name of a user or an AI has a line break in it."""
    return f"{scope.user}\n{room_shown(scope)}"
