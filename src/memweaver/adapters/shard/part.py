"""A part of a shard: records made ready for searching, as columns, in memory or as bytes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memweaver.adapters.shard.arrays import Counts, Floats, Table
from memweaver.adapters.shard.postings import Postings
from memweaver.adapters.shard.strings import Strings
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Origin
from memweaver.domain.question import Answer
from memweaver.domain.search import Kind

KINDS = tuple(Kind)
TIERS = tuple(Tier)
ORIGINS = tuple(Origin)
TURN, MEMORY = KINDS.index(Kind.TURN), KINDS.index(Kind.MEMORY)

NOBODY = -1
"""In place of the number of a name, where there is none."""
ALWAYS, NEVER = np.iinfo(np.int64).min, np.iinfo(np.int64).max
"""Open ends of validity."""

ANSWERS = {
    Answer.TIME: 1,
    Answer.PLACE: 2,
    Answer.NUMBER: 4,
    Answer.PERSON: 8,
    Answer.ADVICE: 16,
}
QUESTION, BY_USER, EMBEDDED = 32, 64, 128

ROW = np.dtype(
    [
        ("record", np.uint64),  # the hash of kind and id
        ("at", np.int64),  # this and the next four: microseconds since 1970, UTC
        ("known_from", np.int64),
        ("known_to", np.int64),
        ("valid_from", np.int64),
        ("valid_to", np.int64),
        ("revision", np.int32),
        ("ordinal", np.int32),
        ("ai", np.int32),  # this and the next two: numbers of names
        ("session", np.int32),
        ("speaker", np.int32),
        ("length", np.int32),  # content words
        ("pairs", np.int32),  # adjoining words
        ("kind", np.uint8),
        ("tier", np.uint8),
        ("origin", np.uint8),
        ("flags", np.uint8),  # ANSWERS, QUESTION, BY_USER, EMBEDDED
    ]
)
"""One searchable text: a message of a turn, or a revision of a memory."""
COLUMNS = ROW.names or ()
NAMED = ("ai", "session", "speaker")
"""The columns that hold numbers of names."""

MENTION = np.dtype([("row", np.int32), ("first", np.int32), ("last", np.int32)])
"""Days that a record speaks of."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows with all that belongs to them. `vectors` has one row for each, zeros where none is."""

    rows: Table
    names: Sequence[str]
    ids: Strings
    texts: Strings
    vectors: Floats
    words: Postings
    mentions: Table

    def __len__(self) -> int:
        return len(self.rows)


def renumbering(kept: Counts, size: int) -> Counts:
    """The new number of each of `size` rows if only those `kept` stay; negative for the others."""
    numbers = np.full(size, NOBODY, np.int32)
    numbers[kept] = np.arange(len(kept), dtype=np.int32)
    return numbers


def mentions_of(mentions: Table, numbers: Counts) -> Table:
    """The mentions of rows that keep a number, under it."""
    renumbered = mentions.copy()
    renumbered["row"] = numbers[mentions["row"]]
    return renumbered[renumbered["row"] >= 0]


def selected(part: Part, kept: Counts) -> Part:
    """The part with only the rows `kept`, which ascend."""
    numbers = renumbering(kept, len(part))
    return Part(
        part.rows[kept],
        part.names,
        Strings.of(part.ids[row] for row in kept),
        Strings.of(part.texts[row] for row in kept),
        part.vectors[kept],
        part.words.renumbered(numbers),
        mentions_of(part.mentions, numbers),
    )
