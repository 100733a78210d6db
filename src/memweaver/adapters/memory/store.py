"""The `Store` port in the process."""

from collections.abc import Collection, Sequence
from datetime import datetime

from memweaver.adapters.memory import memories, turns
from memweaver.adapters.memory.state import State
from memweaver.domain.conversation import Turn
from memweaver.domain.job import Priority
from memweaver.domain.memory import Memory, Tier
from memweaver.domain.scope import Scope
from memweaver.ports.store import Page, Store


class InMemoryStore(Store):
    def __init__(self, state: State) -> None:
        self._state = state

    async def record(
        self,
        given: Sequence[Turn],
        *,
        priority: Priority | None = None,
        trace: str | None = None,
    ) -> Sequence[Turn]:
        return turns.record(self._state, given, priority, trace)

    async def turn(self, scope: Scope, turn_id: str) -> Turn:
        return turns.entry_of(self._state, scope, turn_id).value

    async def turns(
        self, scope: Scope, *, session: str | None, before: int | None, limit: int
    ) -> Page[Turn]:
        return turns.listed(self._state, scope, session=session, before=before, limit=limit)

    async def erase_turn(self, scope: Scope, turn_id: str) -> None:
        turns.erase(self._state, scope, turn_id)

    async def add(self, given: Sequence[Memory]) -> Sequence[Memory]:
        return memories.add(self._state, given)

    async def relate(self, memory: Memory) -> Memory:
        return memories.relate(self._state, memory)

    async def memory(self, scope: Scope, memory_id: str) -> Memory:
        return memories.latest_entry(self._state, scope, memory_id).value

    async def memories(
        self, scope: Scope, *, tiers: Collection[Tier], before: int | None, limit: int
    ) -> Page[Memory]:
        return memories.listed(self._state, scope, tiers=tiers, before=before, limit=limit)

    async def attributed(self, scope: Scope, attribute: str) -> Sequence[Memory]:
        return memories.attributed(self._state, scope, attribute)

    async def revise(self, memory: Memory) -> None:
        memories.revise(self._state, memory)

    async def erase_memory(
        self, scope: Scope, memory_id: str, *, at: datetime, expected: int | None = None
    ) -> None:
        memories.erase(self._state, scope, memory_id, at=at, expected=expected)

    async def erase_some(
        self, scope: Scope, *, session: str | None, limit: int, at: datetime
    ) -> int:
        said = turns.erase_some(self._state, scope, session, limit)
        if session is not None:
            return said
        return said + memories.erase_some(self._state, scope, limit - said, at)
