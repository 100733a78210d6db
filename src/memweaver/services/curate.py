"""Curate: read, correct, move and erase what is remembered, by the person it belongs to."""

from collections.abc import Collection
from dataclasses import dataclass, fields, replace

from memweaver.domain.conversation import Turn
from memweaver.domain.limits import Limits, check_window
from memweaver.domain.memory import Correction, Draft, Memory, Tier, Validity
from memweaver.domain.named import named
from memweaver.domain.origin import TRUSTED, Authority, Origin, allowed
from memweaver.domain.scope import Scope, checked_name
from memweaver.domain.trust import GUARDED, held_back
from memweaver.errors import Conflict, InvalidInput
from memweaver.ports.clock import Clock
from memweaver.ports.events import Events
from memweaver.ports.index import Index
from memweaver.ports.store import Page, Store
from memweaver.services.maintain import Maintain
from memweaver.services.reach import Reach
from memweaver.services.record import record_id
from memweaver.services.working import Working


@dataclass(frozen=True, slots=True)
class Curate:
    store: Store
    maintain: Maintain
    events: Events
    clock: Clock
    limits: Limits
    index: Index
    working: Working
    reach: Reach

    async def add(self, scope: Scope, draft: Draft, *, idempotency: str | None = None) -> Memory:
        """Keep a new memory. With the same `idempotency` key it is kept once.

        What is not the user's own word and would be more than a fact is quarantined, like what
        reflection finds. One that it supersedes is closed, unless it is quarantined. Raises
        `NotFound` if that is not there.
        """
        self.limits.check_draft(draft)
        if draft.supersedes is not None:
            await self.store.memory(scope, draft.supersedes)
        [memory] = await self.store.add([self._memory(scope, draft, idempotency)])
        await self._changed(scope)
        return memory

    async def relate(self, scope: Scope, draft: Draft) -> Memory:
        """Keep a new relation; the one that says the same, should it be there by now."""
        self.limits.check_draft(draft)
        memory = await self.store.relate(self._memory(scope, draft, None))
        await self._changed(scope)
        return memory

    async def memory(self, scope: Scope, memory_id: str) -> Memory:
        """The latest revision, also of one that another AI shares. Raises `NotFound`."""
        return await self.store.memory(await self.reach(scope), memory_id)

    async def memories(
        self,
        scope: Scope,
        *,
        tiers: Collection[Tier] | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> Page[Memory]:
        """The open memories of some or all tiers, latest first, a page at a time.

        Those that other AIs share with the scope's are among them.
        """
        self.limits.check_page(limit, before)
        wanted = frozenset(
            named(Tier, "tiers", tier) for tier in (Tier if tiers is None else tiers)
        )
        readable = await self.reach(scope)
        return await self.store.memories(readable, tiers=wanted, before=before, limit=limit)

    async def correct(
        self,
        scope: Scope,
        memory_id: str,
        correction: Correction,
        *,
        expected: int | None = None,
    ) -> Memory:
        """Change a memory; what it said before stays answerable with `as_of`.

        With `expected`, the revision the caller has seen, a change made meanwhile is a `Conflict`.
        """
        self.limits.check_correction(correction)
        memory = await self._seen(scope, memory_id, expected)
        changed = corrected(memory, correction)
        check_window(changed.validity.valid_from, changed.validity.valid_to)
        return await self._revise(changed)

    async def move(
        self, scope: Scope, memory_id: str, tier: Tier, *, expected: int | None = None
    ) -> Memory:
        """Put a memory into another tier; it keeps its id. A core memory takes its key along."""
        tier = named(Tier, "tier", tier)
        memory = await self._seen(scope, memory_id, expected)
        if tier is memory.tier:
            return memory
        if tier is Tier.CORE and memory.key is None:
            raise InvalidInput("`tier` core needs a `key`: correct the memory first")
        if tier in GUARDED and memory.origin not in TRUSTED:
            raise InvalidInput(f"`tier` {tier} takes the user's own word only: confirm it first")
        return await self._revise(replace(memory, tier=tier))

    async def confirm(self, scope: Scope, memory_id: str, *, expected: int | None = None) -> Memory:
        """Take a memory's word for it, by the person it belongs to: it leaves quarantine."""
        memory = await self._seen(scope, memory_id, expected)
        if memory.origin in TRUSTED and not memory.quarantined:
            return memory
        return await self._revise(replace(memory, origin=Origin.CONFIRMED, quarantined=False))

    async def erase(self, scope: Scope, memory_id: str, *, expected: int | None = None) -> None:
        """Remove a memory and every trace of it."""
        await self.store.erase_memory(scope, memory_id, at=self.clock.now(), expected=expected)
        await self.index.erased(scope.user)
        await self._changed(scope)

    async def turn(self, scope: Scope, turn_id: str) -> Turn:
        return await self.store.turn(scope, turn_id)

    async def turns(
        self,
        scope: Scope,
        *,
        session: str | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> Page[Turn]:
        """The turns of all sessions or one, latest first, a page at a time."""
        self.limits.check_page(limit, before)
        if session is not None:
            checked_name("session", session)
        return await self.store.turns(scope, session=session, before=before, limit=limit)

    async def erase_turn(self, scope: Scope, turn_id: str) -> None:
        """Remove a turn: its words, vectors and job. Memories drawn from it stay, and name it.

        Erase those too if they should go.
        """
        await self.store.erase_turn(scope, turn_id)
        await self.index.erased(scope.user)
        await self.working.forget(scope.user)
        self.maintain.wake()

    async def _seen(self, scope: Scope, memory_id: str, expected: int | None) -> Memory:
        """The memory to be changed, if it is at the revision that the caller has seen."""
        memory = await self.store.memory(scope, memory_id)
        if expected not in (None, memory.revision):
            raise Conflict(f"the memory is at revision {memory.revision}, not {expected}")
        return memory

    async def _revise(self, changed: Memory) -> Memory:
        now = self.clock.now()
        revised = replace(
            changed,
            revision=changed.revision + 1,
            validity=replace(changed.validity, known_from=now, known_to=None),
        )
        await self.store.revise(revised)
        await self._changed(revised.scope)
        return revised

    async def _changed(self, scope: Scope) -> None:
        self.maintain.wake()
        await self.events.ring(scope.user)

    def _memory(self, scope: Scope, draft: Draft, idempotency: str | None) -> Memory:
        return Memory(
            id=record_id(scope, idempotency) if idempotency else self.clock.new_id(),
            scope=scope,
            tier=draft.tier,
            text=draft.text,
            validity=Validity(
                self.clock.now(), valid_from=draft.valid_from, valid_to=draft.valid_to
            ),
            key=draft.key,
            origin=draft.origin,
            authority=allowed(draft.authority, draft.origin),
            importance=draft.importance,
            confidence=draft.confidence,
            supersedes=draft.supersedes,
            sources=draft.sources,
            metadata=draft.metadata,
            quarantined=quarantined(draft),
        )


def quarantined(draft: Draft) -> bool:
    ordering = draft.authority is not Authority.FACT
    return held_back(draft.text, draft.tier, draft.origin, ordering=ordering)


def corrected(memory: Memory, correction: Correction) -> Memory:
    """`memory` with what `correction` names, otherwise as it is."""
    given = {
        field.name: value
        for field in fields(correction)
        if (value := getattr(correction, field.name)) is not None
    }
    validity = {name: given.pop(name) for name in ("valid_from", "valid_to") if name in given}
    return replace(memory, **given, validity=replace(memory.validity, **validity))
