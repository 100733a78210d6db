"""What one of a user's AIs may do, as the user said: data that is kept, shown and followed."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memweaver.domain.named import named
from memweaver.domain.scope import checked_name
from memweaver.errors import InvalidInput, TooLarge

EVERYBODY = "all"
"""Every AI of the same user."""
MOST = 100
"""Names in one list."""
LONGEST_NOTES = 4000


class InternetAccess(StrEnum):
    NONE = "none"
    SAFE_ONLY = "safe_only"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class AiPermissions:
    """`shares` names the AIs that may read this one's memories, or is `all` of the user's.

    The rest is for whoever runs the AI: nothing here lets it reach another user.
    """

    internet_access: InternetAccess = InternetAccess.SAFE_ONLY
    tools: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()
    notes: str = ""
    shares: tuple[str, ...] | str = ()

    def __post_init__(self) -> None:
        access = named(InternetAccess, "internet_access", self.internet_access)
        object.__setattr__(self, "internet_access", access)
        for field in ("tools", "capabilities", "shares"):
            object.__setattr__(self, field, checked_names(field, getattr(self, field)))
        if len(self.notes) > LONGEST_NOTES:
            raise TooLarge(f"`notes` is longer than {LONGEST_NOTES} characters")

    def shared_with(self, ai: str) -> bool:
        return self.shares == EVERYBODY or ai in self.shares

    def told(self) -> dict[str, Any]:
        """As plain JSON values; `of` reads them back."""
        names = {field: list(getattr(self, field)) for field in ("tools", "capabilities")}
        shares = self.shares if isinstance(self.shares, str) else list(self.shares)
        return {
            "internet_access": self.internet_access.value,
            **names,
            "notes": self.notes,
            "shares": shares,
        }

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> "AiPermissions":
        return cls(**told)


def checked_names(field: str, given: object) -> tuple[str, ...] | str:
    """A list of names, each once; `shares` may be the word `all` instead, also in a list.

    Raises `InvalidInput`.
    """
    if field == "shares" and given in (EVERYBODY, [EVERYBODY], (EVERYBODY,)):
        return EVERYBODY
    if not isinstance(given, list | tuple):
        raise InvalidInput(f"`{field}` must be a list of names")
    if len(given) > MOST:
        raise TooLarge(f"`{field}` has more than {MOST} names")
    return tuple(dict.fromkeys(checked_name(field, one) for one in given))


ORDINARY = AiPermissions()
"""Of an AI of which nothing else is said."""
