"""Relate: read, tell and change who is what to whom, by the person it belongs to."""

from dataclasses import dataclass, replace
from typing import Any

from memweaver.domain.candidate import Relation
from memweaver.domain.limits import check_share
from memweaver.domain.memory import Correction, Draft, Memory, Tier
from memweaver.domain.relation import checked_relation, relation_of, same, sentence, told
from memweaver.domain.scope import Scope
from memweaver.errors import NotFound
from memweaver.ports.store import Page
from memweaver.services.curate import Curate

RELATIONAL = frozenset({Tier.RELATIONAL})


@dataclass(frozen=True, slots=True)
class Relate:
    curate: Curate

    async def add(self, scope: Scope, relation: Relation, *, confidence: float = 0.7) -> Memory:
        """Keep a relation told by hand.

        Told again, whatever the case of its letters, it is confirmed: the one that is there is
        surer if the new word is, and never less sure. Told several times at once, it is kept once.
        """
        checked_relation(relation)
        if known := await self._known(scope, relation):
            check_share("confidence", confidence)
            return await self._confirm(known, confidence)
        draft = Draft(
            sentence(relation),
            Tier.RELATIONAL,
            confidence=confidence,
            metadata=told(relation),
        )
        kept = await self.curate.relate(scope, draft)
        if kept.confidence < confidence:  # another has told it at this moment, and less surely
            return await self._confirm(kept, confidence)
        return kept

    async def _confirm(self, known: Memory, confidence: float) -> Memory:
        surer = Correction(confidence=max(confidence, known.confidence))
        return await self.curate.correct(known.scope, known.id, surer)

    async def all(
        self, scope: Scope, *, before: int | None = None, limit: int = 50
    ) -> Page[Memory]:
        """Latest first, a page at a time."""
        return await self.curate.memories(scope, tiers=RELATIONAL, before=before, limit=limit)

    async def _known(self, scope: Scope, relation: Relation) -> Memory | None:
        """The one that says the same, in exactly this scope; not one in quarantine."""
        before: int | None = None
        while True:
            page = await self.all(scope, before=before, limit=self.curate.limits.page)
            for memory in page.items:
                own = memory.scope == scope and not memory.quarantined
                if own and same(relation_of(memory), relation):
                    return memory
            if (before := page.next) is None:
                return None

    async def relation(self, scope: Scope, memory_id: str) -> Memory:
        """Raises `NotFound`, also for a memory of another tier."""
        memory = await self.curate.memory(scope, memory_id)
        if memory.tier is not Tier.RELATIONAL:
            raise NotFound(f"there is no relation {memory_id!r}")
        return memory

    async def change(
        self,
        scope: Scope,
        memory_id: str,
        ends: dict[str, Any],
        *,
        confidence: float | None = None,
        expected: int | None = None,
    ) -> Memory:
        """Change what `ends` names of a relation, and how sure it is. Raises `NotFound`."""
        check_share("confidence", confidence)
        memory = await self.relation(scope, memory_id)
        before = relation_of(memory)
        changed = replace(before, **ends)
        if changed == before:
            correction = Correction(confidence=confidence)
        else:
            checked_relation(changed)
            correction = Correction(
                text=sentence(changed),
                confidence=confidence,
                metadata={**memory.metadata, **told(changed)},
            )
        return await self.curate.correct(scope, memory_id, correction, expected=expected)

    async def erase(self, scope: Scope, memory_id: str, *, expected: int | None = None) -> None:
        """Raises `NotFound`, and `Conflict` if it is no longer at the revision `expected`."""
        await self.relation(scope, memory_id)
        await self.curate.erase(scope, memory_id, expected=expected)
