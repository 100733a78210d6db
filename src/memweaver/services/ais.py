"""AIs: the assistants a user has, each with memories of its own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memweaver.domain.permissions import ORDINARY, AiPermissions
from memweaver.domain.scope import checked_name
from memweaver.errors import InvalidInput, NotFound
from memweaver.ports.clock import Clock
from memweaver.ports.registry import Ai, AiRegistry


@dataclass(frozen=True, slots=True)
class Ais:
    registry: AiRegistry
    clock: Clock

    async def register(
        self, user: str, ai_id: str, name: str, permissions: AiPermissions = ORDINARY
    ) -> Ai:
        """Make an AI known; one that is known already stays as it is."""
        checked_name("user", user)
        checked_name("ai", ai_id)
        ai = Ai(user, ai_id, checked_name("name", name), self.clock.now(), permissions)
        return await self.registry.register(ai)

    async def create(self, user: str, name: str, permissions: AiPermissions = ORDINARY) -> Ai:
        """The same under a new id."""
        return await self.register(user, self.clock.new_id(), name, permissions)

    async def ai(self, user: str, ai_id: str) -> Ai:
        """Raises `NotFound`."""
        return await self.registry.ai(user, ai_id)

    async def must_know(self, user: str, ai_id: str) -> None:
        """For what shall be bound to an AI. Raises `InvalidInput`."""
        try:
            await self.registry.ai(user, ai_id)
        except NotFound as error:
            raise InvalidInput(f"`ai`: there is no AI {ai_id!r}: make it known first") from error

    async def all(self, user: str) -> Sequence[Ai]:
        return await self.registry.ais(user)

    async def update(
        self,
        user: str,
        ai_id: str,
        *,
        name: str | None = None,
        permissions: AiPermissions | None = None,
    ) -> Ai:
        """Change what is given. Raises `NotFound`."""

        def updated(ai: Ai) -> Ai:
            return replace(
                ai,
                name=ai.name if name is None else checked_name("name", name),
                permissions=permissions or ai.permissions,
            )

        return await self.registry.change(user, ai_id, updated)
