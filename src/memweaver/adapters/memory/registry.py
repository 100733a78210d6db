"""The `AiRegistry` port in the process."""

from collections.abc import Sequence
from dataclasses import replace

from memweaver.adapters.memory.state import State, plain
from memweaver.domain.scope import checked_name
from memweaver.errors import NotFound
from memweaver.ports.registry import Ai, AiRegistry


class InMemoryRegistry(AiRegistry):
    def __init__(self, state: State) -> None:
        self._state = state

    async def register(self, ai: Ai) -> Ai:
        checked_name("id", ai.id)
        kept = replace(ai, permissions=plain(ai.permissions))
        return self._state.begun(ai.user).ais.setdefault(ai.id, kept)

    async def ai(self, user: str, ai_id: str) -> Ai:
        for ai in await self.ais(user):
            if ai.id == ai_id:
                return ai
        raise NotFound(f"there is no AI {ai_id!r}")

    async def ais(self, user: str) -> Sequence[Ai]:
        found = self._state.users.get(user)
        theirs = found.ais.values() if found else ()
        return sorted(theirs, key=lambda ai: (ai.created_at, ai.id))
