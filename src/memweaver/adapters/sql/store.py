"""The `Store` port over SQL."""

from collections.abc import Collection, Sequence

from memweaver.adapters.sql import memories, turns
from memweaver.adapters.sql.sealed import SealedDatabase
from memweaver.domain.conversation import Turn
from memweaver.domain.job import Priority
from memweaver.domain.memory import Memory, Tier
from memweaver.domain.scope import Scope
from memweaver.ports.store import Page, Store


class SqlStore(Store):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def record(
        self, given: Sequence[Turn], *, priority: Priority | None = None
    ) -> Sequence[Turn]:
        return await self._database.write(lambda c, keys: turns.record(c, keys, given, priority))

    async def turn(self, scope: Scope, turn_id: str) -> Turn:
        return await self._database.read(lambda c, keys: turns.turn(c, keys, scope, turn_id))

    async def turns(
        self, scope: Scope, *, session: str | None, before: int | None, limit: int
    ) -> Page[Turn]:
        return await self._database.read(
            lambda c, keys: turns.listed(
                c, keys, scope, session=session, before=before, limit=limit
            )
        )

    async def erase_turn(self, scope: Scope, turn_id: str) -> None:
        await self._database.write(lambda c, keys: turns.erase_turn(c, keys, scope, turn_id))
        await self._database.plain.scrub()

    async def add(self, given: Sequence[Memory]) -> Sequence[Memory]:
        return await self._database.write(lambda c, keys: memories.add(c, keys, given))

    async def memory(self, scope: Scope, memory_id: str) -> Memory:
        return await self._database.read(lambda c, keys: memories.memory(c, keys, scope, memory_id))

    async def memories(
        self, scope: Scope, *, tiers: Collection[Tier], before: int | None, limit: int
    ) -> Page[Memory]:
        return await self._database.read(
            lambda c, keys: memories.listed(c, keys, scope, tiers=tiers, before=before, limit=limit)
        )

    async def attributed(self, scope: Scope, attribute: str) -> Sequence[Memory]:
        return await self._database.read(
            lambda c, keys: memories.attributed(c, keys, scope, attribute)
        )

    async def revise(self, memory: Memory) -> None:
        await self._database.write(lambda c, keys: memories.revise(c, keys, memory))

    async def erase_memory(self, scope: Scope, memory_id: str) -> None:
        await self._database.write(lambda c, keys: memories.erase_memory(c, keys, scope, memory_id))
        await self._database.plain.scrub()
