"""The `AiRegistry` port in the process."""

from collections.abc import Sequence
from dataclasses import replace

from memweaver.adapters.memory.state import State
from memweaver.domain.scope import checked_name
from memweaver.errors import NotFound
from memweaver.ports.registry import Ai, AiRegistry


class InMemoryRegistry(AiRegistry):
    def __init__(self, state: State) -> None:
        self._state = state

    async def register(self, ai: Ai) -> Ai:
        checked_name("id", ai.id)
        return self._state.begun(ai.user).ais.setdefault(ai.id, ai)

    async def ai(self, user: str, ai_id: str) -> Ai:
        for ai in await self.ais(user):
            if ai.id == ai_id:
                return ai
        raise NotFound(f"there is no AI {ai_id!r}")

    async def ais(self, user: str) -> Sequence[Ai]:
        found = self._state.users.get(user)
        theirs = found.ais.values() if found else ()
        return sorted(theirs, key=lambda ai: (ai.created_at, ai.id))

    async def update(self, ai: Ai) -> None:
        kept = await self.ai(ai.user, ai.id)
        updated = replace(kept, name=ai.name, permissions=ai.permissions)
        self._state.users[ai.user].ais[ai.id] = updated

    async def erase(self, user: str, ai_id: str) -> None:
        await self.ai(user, ai_id)
        del self._state.users[user].ais[ai_id]
