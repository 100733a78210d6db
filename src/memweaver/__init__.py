"""A long-term memory for AI assistants that belongs to the user."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from memweaver.domain.conversation import Message, Role, Said, Turn
from memweaver.domain.memory import Correction, Draft, Memory, Tier
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter, Hit
from memweaver.errors import MemweaverError

if TYPE_CHECKING:
    from memweaver.app.library import open as open  # noqa: A004 - reads as `memweaver.open`

__all__ = [
    "Correction",
    "Draft",
    "Filter",
    "Hit",
    "Memory",
    "MemweaverError",
    "Message",
    "Role",
    "Said",
    "Scope",
    "Tier",
    "Turn",
    "open",
]


def __getattr__(name: str) -> Any:
    """`memweaver.open` is loaded when it is asked for: a client needs nothing of what it needs."""
    if name != "open":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module("memweaver.app.library").open
