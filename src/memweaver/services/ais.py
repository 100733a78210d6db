"""AIs: the assistants a user has, each with memories of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from memweaver.domain.scope import checked_name
from memweaver.ports.clock import Clock
from memweaver.ports.registry import Ai, AiRegistry


@dataclass(frozen=True, slots=True)
class Ais:
    registry: AiRegistry
    clock: Clock

    async def register(self, user: str, ai_id: str, name: str) -> Ai:
        """Make an AI known; one that is known already stays as it is."""
        checked_name("user", user)
        ai = Ai(user, checked_name("ai", ai_id), checked_name("name", name), self.clock.now())
        return await self.registry.register(ai)

    async def ai(self, user: str, ai_id: str) -> Ai:
        """Raises `NotFound`."""
        return await self.registry.ai(user, ai_id)

    async def all(self, user: str) -> Sequence[Ai]:
        return await self.registry.ais(user)
