"""Weave: from candidates to the effects they have on what is remembered."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from memweaver.domain.candidate import Candidate, Scene
from memweaver.domain.conversation import Turn
from memweaver.domain.decide import (
    SAID_AT,
    Near,
    admissible,
    confirms,
    decide,
    heard_at,
    respectful,
    spared,
    timely,
    without_model,
)
from memweaver.domain.decision import Action, Decision
from memweaver.domain.memory import Memory, Validity, Vector
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter
from memweaver.domain.trust import standing
from memweaver.domain.wording import spelled
from memweaver.errors import ModelError, NotFound
from memweaver.ports.clock import Clock
from memweaver.ports.extract import Decider
from memweaver.ports.index import Index, Shard
from memweaver.ports.meter import Meter
from memweaver.ports.models import Embedder
from memweaver.ports.queue import Claim, Effects, Settling
from memweaver.ports.store import Store
from memweaver.services.reflect.loom import Loom
from memweaver.services.reflect.memo import Memo

log = logging.getLogger(__name__)

NEIGHBOURS = 10
MEMORIES_ONLY = Filter(turns=False)


@dataclass(frozen=True, slots=True)
class Weave:
    store: Store
    queue: Settling
    index: Index
    embedder: Embedder
    decider: Decider | None
    clock: Clock
    meter: Meter

    async def __call__(
        self, claim: Claim, scene: Scene, candidates: Sequence[Candidate]
    ) -> Effects:
        """Raises `BackendError`, `ClaimLost`, `ModelError` if the embedder fails."""
        scope = claim.scope
        turns = {turn.id: turn for turn in scene.turns}
        cited = [one for one in candidates if one.source in turns]
        now = self.clock.now()
        memories = [self._memory(scope, one, turns[one.source], now) for one in cited]
        vectors = await self.embedder.embed([memory.spoken for memory in memories])
        loom, shard = Loom(now, Memo.of(self.queue, claim)), await self.index.open(scope)
        decisions = [
            await self._decided(loom, shard, candidate, memory, vector)
            for candidate, memory, vector in zip(cited, memories, vectors, strict=True)
        ]
        self._spare(loom, decisions)
        return loom.effects(self.embedder.model)

    async def _decided(
        self,
        loom: Loom,
        shard: Shard,
        candidate: Candidate,
        memory: Memory,
        vector: Vector,
    ) -> Decision:
        near = loom.near(vector, await self._near(candidate, memory, shard, vector))
        decision = decide(candidate, near) or await self._asked(candidate, near, loom.memo)
        decision = respectful(decision, memory.origin, near)
        decision = timely(decision, heard_at(memory), near)
        if memory.quarantined and decision.action is not Action.NOOP:
            decision = Decision(Action.ADD, "quarantined")
        self.meter.count(
            "decisions", action=decision.action, tier=memory.tier, because=decision.because
        )
        target = next((one.memory for one in near if one.memory.id == decision.target), memory)
        match decision.action:
            case Action.ADD:
                loom.add(memory, vector)
            case Action.UPDATE:
                text = decision.text or memory.text
                loom.update(target, memory, text, await self._vector(memory, text, vector))
            case Action.REPLACE:
                loom.replace(target, memory, vector)
            case Action.DELETE:
                ended = memory.validity.valid_from or loom.now
                loom.remove(target.id, said_alike(target, near), valid_to=ended)
            case Action.NOOP if target is not memory and confirms(memory.origin, target):
                loom.confirm(target, memory, vector)
        return decision

    async def _near(
        self, candidate: Candidate, memory: Memory, shard: Shard, vector: Vector
    ) -> Sequence[Near]:
        """Over the whole scope: the nearest by meaning, and the value an attribute has now."""
        hits = await shard.nearest(vector, where=MEMORIES_ONLY, limit=NEIGHBOURS, own=True)
        found = {hit.ref.id: hit.score for hit in hits}
        if candidate.attribute is not None:
            for one in await self.store.attributed(memory.scope, candidate.attribute):
                found.setdefault(one.id, 0.0)
        kept = [(await self._kept(memory.scope, one), cosine) for one, cosine in found.items()]
        return [Near(known, cosine) for known, cosine in kept if known is not None]

    async def _kept(self, scope: Scope, memory_id: str) -> Memory | None:
        """If nothing has taken its place meanwhile."""
        try:
            memory = await self.store.memory(scope, memory_id)
        except NotFound:
            return None
        return memory if memory.validity.known_to is None else None

    async def _asked(self, candidate: Candidate, near: Sequence[Near], memo: Memo) -> Decision:
        """By a model if there is one; its failure costs a good decision, never the memory."""
        if self.decider is None:
            return without_model(candidate, near)
        if kept := memo.decided(candidate, near):
            return kept
        try:
            asked = await self.decider.decide(candidate, [one.memory for one in near])
        except ModelError as error:
            log.warning("deciding without a model: %s", error.code)
            return without_model(candidate, near)
        decision = admissible(asked, candidate, near)
        await memo.keep(candidate, near, decision)
        return decision

    async def _vector(self, memory: Memory, text: str, vector: Vector) -> Vector:
        if text == memory.text:
            return vector
        [merged] = await self.embedder.embed([text])
        return merged

    def _spare(self, loom: Loom, decisions: Sequence[Decision]) -> None:
        for before, after in zip(decisions, spared(decisions), strict=True):
            if before is not after and before.target is not None:
                loom.restore(before.target)
                log.warning("spared a memory: most of the decisions were deletions")

    def _memory(self, scope: Scope, candidate: Candidate, turn: Turn, now: datetime) -> Memory:
        stands = standing(candidate, turn)
        return Memory(
            id=self.clock.new_id(),
            scope=scope,
            tier=candidate.tier,
            text=candidate.text,
            validity=Validity(now, valid_from=candidate.valid_from, valid_to=candidate.valid_to),
            key=candidate.key,
            origin=stands.origin,
            authority=stands.authority,
            importance=candidate.importance,
            confidence=candidate.confidence,
            sources=(turn.id,),
            metadata=told_of(candidate, turn),
            quarantined=stands.quarantined,
        )


def said_alike(memory: Memory, near: Sequence[Near]) -> Sequence[Memory]:
    """`memory`, and whatever says it in the same words: the entry in the core, the relation."""
    wording = spelled(memory.text)
    return [one.memory for one in near if spelled(one.memory.text) == wording]


def told_of(candidate: Candidate, turn: Turn) -> Mapping[str, object]:
    """What is kept of a candidate beside its text."""
    told: dict[str, object] = {"kind": candidate.kind.value, SAID_AT: turn.at.isoformat()}
    if candidate.attribute is not None:
        told["attribute"] = candidate.attribute
    if candidate.relation is not None:
        told["relation"] = asdict(candidate.relation)
    return told
