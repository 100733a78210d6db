"""AIs: the assistants a user has, each with memories of its own."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memweaver.domain.permissions import EVERYBODY, ORDINARY, AiPermissions
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
        """The same under a new id. Raises `InvalidInput` if it shares with one not known."""
        check_shares(permissions, {ai.id for ai in await self.all(user)})
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
        permissions: Mapping[str, Any] | None = None,
    ) -> Ai:
        """Change what is given, of its permissions too. Raises `NotFound`.

        Whom it shares with must be known, unless it has shared with them before: an AI that is
        erased meanwhile is in nobody's way.
        """
        if name is None and not permissions:
            raise InvalidInput("nothing to change; give at least one field")
        known = {ai.id for ai in await self.all(user)}

        def updated(ai: Ai) -> Ai:
            changed = replace(ai.permissions, **permissions or {})
            check_shares(changed, known.union(named_in(ai.permissions)))
            new = ai.name if name is None else checked_name("name", name)
            return replace(ai, name=new, permissions=changed)

        return await self.registry.change(user, ai_id, updated)


def check_shares(permissions: AiPermissions, known: Collection[str]) -> None:
    """Raises `InvalidInput` for the name of nobody."""
    for ai in named_in(permissions):
        if ai not in known:
            raise InvalidInput(f"`shares`: there is no AI {ai!r}: make it known first")


def named_in(permissions: AiPermissions) -> Collection[str]:
    """The AIs that it shares with by name."""
    return () if permissions.shares == EVERYBODY else permissions.shares
