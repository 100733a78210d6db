"""The port to the AIs a user has."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memweaver.domain.permissions import ORDINARY, AiPermissions


@dataclass(frozen=True, slots=True)
class Ai:
    """One of a user's AIs; its `id` is what `Scope.ai` names."""

    user: str
    id: str
    name: str
    created_at: datetime
    permissions: AiPermissions = ORDINARY


class AiRegistry(Protocol):
    """Keeps the AIs of each user, their names and permissions sealed."""

    @abstractmethod
    async def register(self, ai: Ai) -> Ai:
        """Keep `ai`; answer the one kept first if the user has that id already."""
        ...

    @abstractmethod
    async def ai(self, user: str, ai_id: str) -> Ai:
        """Raises `NotFound`."""
        ...

    @abstractmethod
    async def ais(self, user: str) -> Sequence[Ai]:
        """The user's AIs, oldest first."""
        ...

    @abstractmethod
    async def change(self, user: str, ai_id: str, to: Callable[[Ai], Ai]) -> Ai:
        """Keep the name and permissions that `to` gives the AI, and answer it. Raises `NotFound`.

        `to` is given the AI as it is at that moment, and nobody else changes it until that is
        kept. It may be asked more than once. What it raises is raised, and changes nothing.
        """
        ...

    @abstractmethod
    async def erase(self, user: str, ai_id: str) -> None:
        """Know it no longer; what was written in its scope stays. Raises `NotFound`."""
        ...
