"""Entries: the core tier as a person edits it, a value under each key."""

from collections.abc import Sequence
from dataclasses import dataclass

from memweaver.domain.memory import Correction, Draft, Memory, Tier
from memweaver.domain.scope import Scope, checked_name
from memweaver.errors import Conflict, NotFound
from memweaver.services.curate import Curate

CORE = frozenset({Tier.CORE})


@dataclass(frozen=True, slots=True)
class Entries:
    curate: Curate

    async def all(self, scope: Scope) -> dict[str, str]:
        """What is kept under each key; of several AIs the scope's own, otherwise the latest."""
        oldest_first = (await self._memories(scope))[::-1]
        ordered = sorted(oldest_first, key=lambda memory: memory.scope == scope)
        return {memory.key: memory.text for memory in ordered if memory.key is not None}

    async def put(
        self, scope: Scope, key: str, value: str, *, expected: int | None = None
    ) -> Memory:
        """Keep `value` under `key`, in place of what the scope had there.

        Raises `Conflict` if that is no longer, or never was, at the revision `expected`.
        """
        checked_name("key", key)
        for memory in await self._memories(scope):
            if memory.key == key and memory.scope == scope:
                change = Correction(text=value)
                return await self.curate.correct(scope, memory.id, change, expected=expected)
        if expected is not None:
            raise Conflict(f"there is nothing under the key {key!r} any more")
        return await self.curate.add(scope, Draft(value, Tier.CORE, key=key))

    async def erase(self, scope: Scope, key: str) -> None:
        """Erase whatever the scope holds under `key`. Raises `NotFound`."""
        held = [
            memory
            for memory in await self._memories(scope)
            if memory.key == key and scope.holds(memory.scope)
        ]
        if not held:
            raise NotFound(f"there is nothing under the key {key!r}")
        for memory in held:
            await self.curate.erase(scope, memory.id)

    async def _memories(self, scope: Scope) -> Sequence[Memory]:
        """Latest first."""
        found: list[Memory] = []
        before: int | None = None
        while True:
            page = await self.curate.memories(
                scope, tiers=CORE, before=before, limit=self.curate.limits.page
            )
            found += page.items
            if (before := page.next) is None:
                return found
