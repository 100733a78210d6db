"""What is prepared for each record when it is written, so that no search has to."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

import numpy as np

from memweaver.adapters.shard import part as parts
from memweaver.adapters.shard.arrays import Counts, Floats, Hashes, Table
from memweaver.adapters.shard.part import ALWAYS, NEVER, NOBODY, Part
from memweaver.adapters.shard.postings import Postings
from memweaver.adapters.shard.strings import UTF8, Strings
from memweaver.adapters.shard.times import to_number
from memweaver.adapters.shard.words import Words
from memweaver.domain.clues import answers_to, is_question
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.memory import Memory, Tier, Validity, Vector
from memweaver.domain.origin import Origin
from memweaver.domain.relative import dates_said
from memweaver.domain.search import Kind, Ref
from memweaver.domain.trust import BY_ROLE
from memweaver.ports.changes import Delta

PAIRING = np.uint64(0x9E3779B97F4A7C15)
"""Makes the pair of two words differ from the pair of the same words the other way round."""


def record_number(kind: Kind, name: str) -> int:
    digest = blake2b(f"{kind}:{name}".encode(*UTF8), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def pairs(words: Hashes) -> Hashes:
    """The numbers of all adjoining words."""
    return words[:-1] * PAIRING + words[1:]


@dataclass(frozen=True, slots=True)
class Record:
    """One searchable text before it is read."""

    ref: Ref
    text: str
    spoken: str
    at: datetime
    validity: Validity
    ai: str | None
    origin: Origin
    ordinal: int = 0
    session: str | None = None
    speaker: str | None = None
    by_user: bool = False
    tier: Tier | None = None


def records_of(delta: Delta) -> Iterator[Record]:
    for turn in delta.turns:
        for ordinal, message in enumerate(turn.messages):
            yield _of_message(turn, ordinal, message)
    yield from (_of_memory(memory) for memory in delta.memories if not memory.quarantined)


def _of_message(turn: Turn, ordinal: int, message: Message) -> Record:
    return Record(
        ref=Ref(Kind.TURN, turn.id),
        text=message.text,
        spoken=message.spoken,
        at=turn.at,
        validity=Validity(turn.recorded_at),
        ai=turn.scope.ai,
        origin=BY_ROLE[message.role],
        ordinal=ordinal,
        session=turn.session,
        speaker=message.speaker,
        by_user=message.role is Role.USER,
    )


def _of_memory(memory: Memory) -> Record:
    return Record(
        ref=Ref(Kind.MEMORY, memory.id, memory.revision),
        text=memory.text,
        spoken=memory.spoken,
        at=memory.validity.valid_from or memory.validity.known_from,
        validity=memory.validity,
        ai=memory.scope.ai,
        origin=memory.origin,
        by_user=True,
        tier=memory.tier,
    )


class Reader:
    """Reads records into a part, with the vectors that `model` made of them."""

    def __init__(self, words: Words, model: str) -> None:
        self._words = words
        self._model = model

    def read(self, delta: Delta) -> Part:
        records = list(records_of(delta))
        vectors = {v.ref: v.vectors for v in delta.vectors if v.model == self._model}
        split = [self._words.split(record.spoken) for record in records]
        matrix, embedded = _matrix([_vector(record, vectors) for record in records])
        names = _Names()
        rows = [
            _row(record, len(content), max(0, len(every) - 1), names)
            for record, (content, every) in zip(records, split, strict=True)
        ]
        table = np.array(rows, parts.ROW)
        table["flags"][embedded] |= parts.EMBEDDED
        return Part(
            table,
            names.listed,
            Strings.of(record.ref.id for record in records),
            Strings.of(record.text for record in records),
            matrix,
            _postings(split),
            _mentions(records),
        )


class _Names:
    """Numbers for names, given in the order of their first mention."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str | None) -> int:
        return NOBODY if name is None else self._numbers.setdefault(name, len(self._numbers))

    @property
    def listed(self) -> Sequence[str]:
        return tuple(self._numbers)


def _row(record: Record, length: int, paired: int, names: _Names) -> tuple[int, ...]:
    validity = record.validity
    return (
        record_number(record.ref.kind, record.ref.id),
        to_number(record.at),
        to_number(validity.known_from),
        _or(validity.known_to, NEVER),
        _or(validity.valid_from, ALWAYS),
        _or(validity.valid_to, NEVER),
        record.ref.revision,
        record.ordinal,
        names.number(record.ai),
        names.number(record.session),
        names.number(record.speaker),
        length,
        paired,
        parts.KINDS.index(record.ref.kind),
        parts.TIERS.index(record.tier) if record.tier else 0,
        parts.ORIGINS.index(record.origin),
        _flags(record),
    )


def _or(time: datetime | None, otherwise: int) -> int:
    return otherwise if time is None else to_number(time)


def _flags(record: Record) -> int:
    flags = sum(parts.ANSWERS[kind] for kind in answers_to(record.text))
    flags |= parts.QUESTION if is_question(record.text) else 0
    return flags | (parts.BY_USER if record.by_user else 0)


def _vector(record: Record, vectors: Mapping[Ref, Sequence[Vector]]) -> Vector | None:
    made = vectors.get(record.ref, ())
    return made[record.ordinal] if record.ordinal < len(made) else None


def _matrix(vectors: Sequence[Vector | None]) -> tuple[Floats, Counts]:
    """The vectors as rows, zeros where there is none or one of another width; and which are there.

    The first vector says how wide they are.
    """
    width = next((len(vector) for vector in vectors if vector), 0) // 4
    there = [row for row, vector in enumerate(vectors) if vector and len(vector) == 4 * width]
    matrix = np.zeros((len(vectors), width), np.float32)
    for row in there:
        matrix[row] = np.frombuffer(vectors[row] or b"", "<f4")
    return matrix, np.array(there, np.int32)


def _postings(split: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Postings:
    """Of content words, and of all words that adjoin within a text."""
    content, owners = _flat([content for content, _ in split])
    every, their_owners = _flat([every for _, every in split])
    inside = their_owners[:-1] == their_owners[1:]
    return Postings.of(
        np.concatenate((content, pairs(every)[inside])),
        np.concatenate((owners, their_owners[:-1][inside])),
    )


def _flat(words: Sequence[Sequence[int]]) -> tuple[Hashes, Counts]:
    """All words of all texts, and the place of the text of each."""
    flat = np.array([number for one in words for number in one], np.uint64)
    return flat, np.arange(len(words), dtype=np.int32).repeat([len(one) for one in words])


def _mentions(records: Sequence[Record]) -> Table:
    spans = [
        (row, span.first, span.last)
        for row, record in enumerate(records)
        for span in dates_said(record.text, record.at)
    ]
    return np.array(spans, parts.MENTION)
