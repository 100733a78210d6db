"""Reach: which of a user's AIs let another read their memories."""

from dataclasses import dataclass, replace

from memweaver.domain.scope import Scope
from memweaver.ports.registry import AiRegistry


@dataclass(frozen=True, slots=True)
class Reach:
    registry: AiRegistry

    async def __call__(self, scope: Scope) -> Scope:
        """`scope` with the AIs that share their memories with its own. For reading only."""
        if scope.ai is None:
            return scope
        others = await self.registry.ais(scope.user)
        sharing = (ai.id for ai in others if ai.permissions.shared_with(scope.ai))
        return replace(scope, shared=frozenset(sharing) - {scope.ai})
