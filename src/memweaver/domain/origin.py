"""Where a memory comes from and what it may therefore do."""

from collections.abc import Iterable
from enum import StrEnum


class Origin(StrEnum):
    """Who said it first; set by our code, never by what was said. Strongest first."""

    USER = "user"
    CONFIRMED = "confirmed"
    ASSISTANT = "assistant"
    IMPORT = "import"
    DOCUMENT = "document"
    TOOL = "tool"


class Authority(StrEnum):
    """What a memory may do to an assistant. Weakest first."""

    FACT = "fact"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"


TRUSTED = frozenset({Origin.USER, Origin.CONFIRMED})
"""Origins whose memories may be more than a fact."""


def weakest(origins: Iterable[Origin]) -> Origin:
    """The origin of what is derived from several sources: the weakest among them."""
    order = list(Origin)
    return max(origins, key=order.index)


def allowed(authority: Authority, origin: Origin) -> Authority:
    """`authority` as far as `origin` carries it."""
    return authority if origin in TRUSTED else Authority.FACT
