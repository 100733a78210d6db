"""The `AiRegistry` port in the process."""

from collections.abc import Callable, Sequence
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
        return self._found(user, ai_id)

    async def ais(self, user: str) -> Sequence[Ai]:
        found = self._state.users.get(user)
        theirs = found.ais.values() if found else ()
        return sorted(theirs, key=lambda ai: (ai.created_at, ai.id))

    async def change(self, user: str, ai_id: str, to: Callable[[Ai], Ai]) -> Ai:
        found = self._found(user, ai_id)
        made = to(found)
        changed = replace(found, name=made.name, permissions=made.permissions)
        self._state.users[user].ais[ai_id] = changed
        return changed

    async def erase(self, user: str, ai_id: str) -> None:
        await self.ai(user, ai_id)
        del self._state.users[user].ais[ai_id]

    def _found(self, user: str, ai_id: str) -> Ai:
        theirs = self._state.users.get(user)
        if theirs is None or ai_id not in theirs.ais:
            raise NotFound(f"there is no AI {ai_id!r}")
        return theirs.ais[ai_id]
