"""A long-term memory for AI assistants that belongs to the user."""

from memweaver.app.library import open as open  # noqa: A004 - reads as `memweaver.open`
from memweaver.domain.conversation import Message, Role, Said, Turn
from memweaver.domain.memory import Correction, Draft, Memory, Tier
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter, Hit
from memweaver.errors import MemweaverError

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
