"""From records to the rows of this index: all that a search needs is worked out here, once."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from memweaver.adapters.pgvector.blind import Blind
from memweaver.adapters.pgvector.words import Words
from memweaver.domain.clues import answers_to, is_question
from memweaver.domain.conversation import Role, Turn
from memweaver.domain.memory import Memory, Vector
from memweaver.domain.question import Answer
from memweaver.domain.relative import dates_said
from memweaver.domain.search import Kind, Ref
from memweaver.ports.changes import Delta, Vectors

FORMAT = 2
"""Raised whenever rows are made otherwise: everybody's are then made anew."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

ANSWERS = {
    Answer.TIME: 1,
    Answer.PLACE: 2,
    Answer.NUMBER: 4,
    Answer.PERSON: 8,
    Answer.ADVICE: 16,
}
QUESTION, BY_USER = 32, 64

Row = Mapping[str, Any]


def micros(time: datetime) -> int:
    return (time - EPOCH) // MICROSECOND


def micros_or_none(time: datetime | None) -> int | None:
    return None if time is None else micros(time)


def array_of(vector: Vector) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.frombuffer(vector, "<f4")


def turn_ref(turn: Turn) -> Ref:
    return Ref(Kind.TURN, turn.id)


def memory_ref(memory: Memory) -> Ref:
    return Ref(Kind.MEMORY, memory.id, memory.revision)


def names_of(ref: Ref) -> dict[str, Any]:
    return {"kind": ref.kind, "id": ref.id, "revision": ref.revision}


@dataclass(frozen=True, slots=True)
class Reader:
    """Makes rows; vectors that are not `dimensions` long are of another model and left out."""

    words: Words
    dimensions: int

    @property
    def made_by(self) -> str:
        """Rows made by another one are of no use."""
        return f"{FORMAT} {self.words.language}"

    def rows(self, delta: Delta, blind: Blind) -> Sequence[Row]:
        vectors = {one.ref: one for one in delta.vectors}
        rows = [row for turn in delta.turns for row in self._of_turn(turn, blind)]
        rows += [self._of_memory(one, blind) for one in delta.memories if not one.quarantined]
        for row in rows:
            ref = Ref(row["kind"], row["id"], row["revision"])
            row.update(self._embedding(vectors.get(ref), row["ordinal"]))
        return rows

    def embeddings(self, vectors: Sequence[Vectors]) -> Iterator[Row]:
        """What is to be changed in rows that got vectors later, each row by its name."""
        for one in vectors:
            for ordinal in range(len(one.vectors)):
                yield names_of(one.ref) | {"ordinal": ordinal} | self._embedding(one, ordinal)

    def _embedding(self, vectors: Vectors | None, ordinal: int) -> dict[str, Any]:
        if vectors is None or ordinal >= len(vectors.vectors):
            return {"embedded_by": None, "embedding": None}
        vector = array_of(vectors.vectors[ordinal])
        if len(vector) != self.dimensions:
            return {"embedded_by": None, "embedding": None}
        return {"embedded_by": vectors.model, "embedding": vector}

    def _of_turn(self, turn: Turn, blind: Blind) -> Iterator[dict[str, Any]]:
        for ordinal, message in enumerate(turn.messages):
            yield {
                "owner": turn.scope.user,
                **names_of(turn_ref(turn)),
                "ordinal": ordinal,
                "ai": turn.scope.ai,
                "tier": None,
                "session": blind.name("session", turn.session),
                "speaker": blind.name("speaker", message.speaker),
                "at": micros(turn.at),
                "known_from": micros(turn.recorded_at),
                "known_to": None,
                "valid_from": None,
                "valid_to": None,
                **self._read(blind, message.text, message.spoken, turn.at),
                **_flags(message.text, by_user=message.role is Role.USER),
            }

    def _of_memory(self, memory: Memory, blind: Blind) -> dict[str, Any]:
        validity = memory.validity
        at = validity.valid_from or validity.known_from
        return {
            "owner": memory.scope.user,
            **names_of(memory_ref(memory)),
            "ordinal": 0,
            "ai": memory.scope.ai,
            "tier": memory.tier,
            "session": None,
            "speaker": None,
            "at": micros(at),
            "known_from": micros(validity.known_from),
            "known_to": micros_or_none(validity.known_to),
            "valid_from": micros_or_none(validity.valid_from),
            "valid_to": micros_or_none(validity.valid_to),
            **self._read(blind, memory.text, memory.spoken, at),
            **_flags(memory.text, by_user=True),
        }

    def _read(self, blind: Blind, text: str, spoken: str, at: datetime) -> dict[str, Any]:
        terms = blind.terms(spoken, self.words)
        return {
            "length": len(terms.content),
            "pairs": len(terms.phrases),
            "terms": [*terms.content, *terms.phrases],
            "mentions": [day for span in dates_said(text, at) for day in (span.first, span.last)],
        }


def _flags(text: str, *, by_user: bool) -> dict[str, Any]:
    flags = sum(ANSWERS[kind] for kind in answers_to(text))
    flags |= QUESTION if is_question(text) else 0
    return {"flags": flags | (BY_USER if by_user else 0)}
