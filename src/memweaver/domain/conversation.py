"""What was heard and said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memweaver.domain.named import named
from memweaver.domain.scope import Scope

Metadata = Mapping[str, object]
"""Plain JSON values that the caller wants back; sealed like the text."""


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance. `name` tells people apart who share a role, as in a chat between friends."""

    role: Role
    text: str
    name: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "role", named(Role, "role", self.role))

    @property
    def speaker(self) -> str:
        return self.name or self.role.value.capitalize()

    @property
    def spoken(self) -> str:
        """The utterance with its speaker, as it is embedded and searched."""
        return f"{self.speaker}: {self.text}"


@dataclass(frozen=True, slots=True)
class Said:
    """What a caller hands in to be recorded; without `at` it was said just now."""

    messages: tuple[Message, ...]
    session: str = "default"
    at: datetime | None = None
    metadata: Metadata = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Turn:
    """Messages that belong together, usually a question and its answer, kept verbatim.

    `at` is when it was said, `recorded_at` when this memory learned of it.
    """

    id: str
    scope: Scope
    session: str
    at: datetime
    recorded_at: datetime
    messages: tuple[Message, ...]
    metadata: Metadata = field(default_factory=dict[str, object])
