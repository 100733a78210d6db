"""Whose memory it is."""

from dataclasses import dataclass, field

from memweaver.errors import InvalidInput

HOUSE = "memweaver:house"
"""Owns what is sealed and nobody's in particular. Nobody is it, and nobody acts for it."""
RESERVED = "memweaver:"
"""How the names begin that no user can have."""
LONGEST_NAME = 256
"""Identifiers of users, AIs and sessions are names, not documents."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A user, and optionally one of the user's AIs. Every read and write names one.

    Without `ai` a read sees all of the user's AIs, and a write belongs to none of them.
    With `ai` a read sees, and a write makes, only what belongs to that AI; and a read of memories
    sees those of the AIs in `shared` too, which are the same user's. That is not part of which
    scope it is.
    """

    user: str
    ai: str | None = None
    shared: frozenset[str] = field(default=frozenset(), compare=False)

    def __post_init__(self) -> None:
        checked_user(self.user)
        if self.ai is not None:
            checked_name("ai", self.ai)

    def holds(self, other: "Scope") -> bool:
        """Whether what was written in `other` is this scope's own to read, change and erase."""
        return self.user == other.user and self.ai in (None, other.ai)

    def may_read(self, other: "Scope") -> bool:
        """Whether it may read a memory that was written in `other`: its own, or a shared one."""
        return self.holds(other) or (self.user == other.user and other.ai in self.shared)


def checked_user(name: str) -> str:
    """`name`, if somebody can have it. Raises `InvalidInput`."""
    if name.startswith(RESERVED):
        raise InvalidInput(f"`user` must not begin with {RESERVED!r}, which is reserved")
    return checked_name("user", name)


def checked_name(field: str, value: str) -> str:
    """`value`, if it can be the name of a user, an AI or a session. Raises `InvalidInput`."""
    if not value.strip() or not value.isprintable():
        raise InvalidInput(f"`{field}` must be a printable, non-empty name")
    if len(value) > LONGEST_NAME:
        raise InvalidInput(f"`{field}` is longer than {LONGEST_NAME} characters")
    return value
