"""The four collections of an AI, as the literal routes and `MemoryWeaver` name them."""

import re

from memweaver.domain.conversation import Metadata
from memweaver.domain.memory import Tier, tiers_named
from memweaver.errors import InvalidFilter

MEMORY_TYPES = ("working_memory", "long_term_memory", "personal_logs", "archive")
"""Every AI has one collection of each."""

IMPORTANCE = {"high": 0.9, "medium": 0.6, "low": 0.3}
"""What the words that metadata may say under `importance` are as a number."""
ORDINARY = 0.5
"""The importance of what says none."""


def tiers_of(memory_type: str, field: str = "memory_type") -> tuple[Tier, ...]:
    """The tiers a collection shows; what is stored in it goes to the first."""
    if memory_type not in MEMORY_TYPES:
        known = ", ".join(MEMORY_TYPES)
        raise InvalidFilter(f"`{field}` `{memory_type}` is not known; known are {known}")
    return tiers_named(memory_type)


def collection_name(memory_type: str, ai_uuid: str, ai_name: str) -> str:
    """`working_memory_1234_assistant`; whitespace in the AI's name becomes `_`."""
    return f"{memory_type}_{ai_uuid}_{plain(ai_name)}"


def collection_names(ai_uuid: str, ai_name: str) -> dict[str, str]:
    """The names of all four, by memory type."""
    return {kind: collection_name(kind, ai_uuid, ai_name) for kind in MEMORY_TYPES}


def plain(ai_name: str) -> str:
    return re.sub(r"\s+", "_", ai_name)


def importance(metadata: Metadata) -> float:
    return IMPORTANCE.get(str(metadata.get("importance")), ORDINARY)
