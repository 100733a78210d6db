"""The `Index` port in the process: reads everything anew for each search, in plain Python."""

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memweaver.domain.conversation import Role, Turn
from memweaver.domain.memory import Memory, Tier, Validity, Vector
from memweaver.domain.origin import Origin
from memweaver.domain.question import Question
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter, Hit, Kind, Ref
from memweaver.ports.changes import Changes, Delta
from memweaver.ports.index import Index, IndexCapability, Shard

WORD = re.compile(r"\w+")
MEANING, WORDS = 0.6, 0.4
SPOKEN_BY = {
    Role.USER: Origin.USER,
    Role.ASSISTANT: Origin.ASSISTANT,
    Role.SYSTEM: Origin.DOCUMENT,
    Role.TOOL: Origin.TOOL,
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """One searchable text: the hit it would be, and what decides whether it is one."""

    hit: Hit
    scope: Scope
    spoken: str
    validity: Validity
    vector: Vector | None

    def admitted(self, where: Filter, now: datetime | None) -> bool:
        return self._wanted(where) and self._known(where) and self._held(where, now)

    def _wanted(self, where: Filter) -> bool:
        if where.session is not None and self.hit.session != where.session:
            return False
        if self.hit.tier is None:
            return where.turns
        return self.hit.tier in (where.tiers or frozenset(Tier) - {Tier.ARCHIVE})

    def _known(self, where: Filter) -> bool:
        if where.as_of is None:
            return self.validity.known_to is None
        ended = self.validity.known_to is not None and self.validity.known_to <= where.as_of
        return self.validity.known_from <= where.as_of and not ended

    def _held(self, where: Filter, now: datetime | None) -> bool:
        then, validity = where.valid_at or where.as_of or now, self.validity
        if then is None:
            return True
        begun = validity.valid_from is None or validity.valid_from <= then
        return begun and (validity.valid_to is None or then < validity.valid_to)


@dataclass(frozen=True, slots=True)
class InMemoryShard(Shard):
    scope: Scope
    candidates: Sequence[Candidate]

    @property
    def people(self) -> Sequence[str]:
        speakers = (one.hit.speaker for one in self.candidates if one.hit.speaker)
        nameless = {role.value.capitalize() for role in Role}
        return sorted(set(speakers) - nameless)

    async def search(
        self,
        question: Question,
        vector: Vector | None,
        *,
        now: datetime,
        where: Filter,
        limit: int,
    ) -> Sequence[Hit]:
        hits = [
            scored(one, question, vector) for one in self.candidates if one.admitted(where, now)
        ]
        return sorted(hits, key=lambda hit: -hit.score)[:limit]

    async def nearest(
        self, vector: Vector, *, where: Filter, limit: int, own: bool = False
    ) -> Sequence[Hit]:
        within = [one for one in self.candidates if not own or one.scope == self.scope]
        hits = [
            near(one.hit, dot(vector, one.vector))
            for one in within
            if one.vector is not None and one.admitted(where, None)
        ]
        return sorted(hits, key=lambda hit: -(hit.cosine or 0.0))[:limit]


class InMemoryIndex(Index):
    def __init__(self, changes: Changes, model: str) -> None:
        self._changes = changes
        self._model = model

    @property
    def capabilities(self) -> frozenset[IndexCapability]:
        return frozenset({IndexCapability.EXACT, IndexCapability.SEALED})

    async def open(self, scope: Scope, *, since: float | None = None) -> Shard:
        stamp = await self._changes.stamp(scope.user)
        if stamp is None:
            return InMemoryShard(scope, [])
        delta = await self._changes.since(scope.user, 0, stamp.version)
        vectors = {one.ref: one.vectors for one in delta.vectors if one.model == self._model}
        return InMemoryShard(scope, list(candidates(delta, vectors, scope)))

    def people(self, scope: Scope) -> Sequence[str]:
        """Nobody: it keeps nothing of what was opened."""
        return ()

    async def erased(self, user: str) -> None:
        """There is nothing that it keeps."""

    async def maintain(self) -> None:
        """There is nothing to prepare."""


def candidates(
    delta: Delta, vectors: Mapping[Ref, Sequence[Vector]], scope: Scope
) -> Iterator[Candidate]:
    for turn in delta.turns:
        if scope.holds(turn.scope):
            yield from of_turn(turn, vectors.get(Ref(Kind.TURN, turn.id), ()))
    for memory in delta.memories:
        if scope.may_read(memory.scope) and not memory.quarantined:
            ref = Ref(Kind.MEMORY, memory.id, memory.revision)
            yield of_memory(memory, ref, vectors.get(ref, ()))


def of_turn(turn: Turn, vectors: Sequence[Vector]) -> Iterator[Candidate]:
    for ordinal, message in enumerate(turn.messages):
        hit = Hit(
            Ref(Kind.TURN, turn.id),
            message.text,
            turn.at,
            0.0,
            ordinal=ordinal,
            speaker=message.speaker,
            session=turn.session,
            origin=SPOKEN_BY[message.role],
        )
        vector = vectors[ordinal] if ordinal < len(vectors) else None
        yield Candidate(hit, turn.scope, message.spoken, Validity(turn.recorded_at), vector)


def of_memory(memory: Memory, ref: Ref, vectors: Sequence[Vector]) -> Candidate:
    at = memory.validity.valid_from or memory.validity.known_from
    hit = Hit(ref, memory.text, at, 0.0, tier=memory.tier, origin=memory.origin)
    vector = vectors[0] if vectors else None
    return Candidate(hit, memory.scope, memory.spoken, memory.validity, vector)


def scored(candidate: Candidate, question: Question, vector: Vector | None) -> Hit:
    cosine = None if vector is None or candidate.vector is None else dot(vector, candidate.vector)
    asked, said = (set(WORD.findall(t.casefold())) for t in (question.text, candidate.spoken))
    explanation = {
        "meaning": MEANING * ((cosine or 0.0) + 1) / 2,
        "words": WORDS * len(asked & said) / max(1, len(asked)),
    }
    hit = candidate.hit
    return Hit(
        hit.ref,
        hit.text,
        hit.at,
        sum(explanation.values()),
        hit.ordinal,
        hit.speaker,
        hit.session,
        hit.tier,
        hit.origin,
        cosine,
        explanation,
    )


def near(hit: Hit, cosine: float) -> Hit:
    score = max(0.0, cosine)
    return replace(hit, score=score, cosine=cosine, explanation={"meaning": score})


def dot(one: Vector, other: Vector) -> float:
    total = sum(a * b for a, b in zip(array("f", one), array("f", other), strict=True))
    return max(-1.0, min(1.0, total))
