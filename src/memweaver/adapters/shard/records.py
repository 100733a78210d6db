"""The records of one user in memory: what is read is added, what is erased leaves no trace."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from memweaver.adapters.shard import part as parts
from memweaver.adapters.shard.arrays import Counts, Flags, Floats, Growing, Hashes, Table
from memweaver.adapters.shard.part import Part
from memweaver.adapters.shard.postings import Lexicon
from memweaver.adapters.shard.snapshot import Snapshot
from memweaver.adapters.shard.strings import StringChain
from memweaver.adapters.shard.traits import GrowingTraits, Traits
from memweaver.domain.ranking import RECIPE

FEW = 16
"""Records up to which looking through all rows for each is quicker than sorting the rows."""
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


class Records:
    def __init__(self) -> None:
        self._rows = Growing[np.void](parts.ROW)
        self._record = Growing[np.uint64](np.uint64)
        self._flags = Growing[np.uint8](np.uint8)
        self._speaker = Growing[np.int32](np.int32)
        self._traits = GrowingTraits()
        self._memories = Growing[np.int32](np.int32)
        self._vectors = Growing[np.float32](np.float32, (0,))
        self._before = Growing[np.int32](np.int32)
        self._passage = Growing[np.int32](np.int32)
        self._mentions = Growing[np.void](parts.MENTION)
        self._names: dict[str, int] = {}
        self._ids = self._texts = StringChain()
        self._words = Lexicon()
        self._speakers: dict[int, None] = {}
        self._threads: dict[tuple[int, int], tuple[int, int, int]] = {}
        self._passages = 0

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def nbytes(self) -> int:
        rows = (self._rows, self._record, self._flags, self._speaker, self._traits, self._vectors)
        links = (self._before, self._passage, self._mentions, self._memories)
        kept = (self._ids, self._texts, self._words)
        return sum(one.nbytes for one in (*rows, *links, *kept))

    def snapshot(self) -> Snapshot:
        return Snapshot(
            self._rows.rows,
            self._traits.rows,
            self._flags.rows,
            self._speaker.rows,
            tuple(self._speakers),
            self._memories.rows,
            self._vectors.rows,
            self._before.rows,
            self._passage.rows,
            tuple(self._names),
            self._ids,
            self._texts,
            self._words,
            self._mentions.rows,
        )

    def find(self, records: Sequence[int]) -> list[Counts]:
        """The rows of each record, of all its messages or revisions."""
        here, wanted = self._record.rows, np.array(records, np.uint64)
        if len(records) <= FEW:
            return [np.flatnonzero(here == one).astype(np.int32) for one in wanted]
        order = np.argsort(here, kind="stable").astype(np.int32)
        starts, ends = (np.searchsorted(here, wanted, side, order) for side in _SIDES)
        return [np.sort(order[start:end]) for start, end in zip(starts, ends, strict=True)]

    def row(self, row: int) -> np.void:
        found: np.void = self._rows.rows[row]
        return found

    def text(self, row: int) -> str:
        return self._texts[row]

    def known(self, records: Hashes) -> Counts:
        """Which of `records` are here already, by their place in the list."""
        here = self._record.rows
        if len(records) <= FEW:
            return np.array([i for i, one in enumerate(records) if (here == one).any()], np.int32)
        present = here[np.isin(here, np.unique(records))]
        return np.flatnonzero(np.isin(records, present)).astype(np.int32)

    def append(self, part: Part) -> None:
        """Add rows that are not here yet."""
        start = len(self)
        rows = self._named(part)
        self._append_vectors(part.vectors, rows)
        self._rows.extend(rows)
        self._record.extend(rows["record"])
        self._flags.extend(rows["flags"])
        self._speaker.extend(rows["speaker"])
        self._speakers.update(dict.fromkeys(rows["speaker"].tolist()))
        [memories] = (rows["kind"] == parts.MEMORY).nonzero()
        self._memories.extend((memories + start).astype(np.int32))
        self._link(rows, start)
        self._characterise(rows, start)
        self._ids = self._ids.extended(part.ids)
        self._texts = self._texts.extended(part.texts)
        self._words = self._words.extended(part.words.moved(start))
        mentions = part.mentions.copy()
        mentions["row"] += start
        self._mentions.extend(mentions)

    def replace(self, row: int, part: Part, at: int) -> None:
        """Put row `at` of `part` in the place of `row`, whose text is the same."""
        new, here = self._named(part)[at], self._rows.rows
        new["flags"] |= here[row]["flags"] & parts.EMBEDDED
        here[row] = new
        self._flags.rows[row] = new["flags"]
        if part.rows[at]["flags"] & parts.EMBEDDED:
            self.embed(row, part.vectors[at])

    def embed(self, row: int, vector: Floats | None) -> None:
        """Give a row its vector, or take it away."""
        there = vector is not None and self._fits(vector)
        if there:
            self._vectors.rows[row] = vector
        for flags in (self._rows.rows["flags"], self._flags.rows):
            flags[row] = (flags[row] & ~np.uint8(parts.EMBEDDED)) | (parts.EMBEDDED * there)

    def cut(self, rows: Counts) -> Part:
        """A part of the rows `rows`, which ascend."""
        numbers = parts.renumbering(rows, len(self))
        table = self._rows.rows[rows]
        return Part(
            table,
            _renamed(table, tuple(self._names)),
            self._ids.taken(rows.tolist()),
            self._texts.taken(rows.tolist()),
            self._vectors.rows[rows],
            self._words.renumbered(numbers),
            parts.mentions_of(self._mentions.rows, numbers),
        )

    def without(self, rows: Counts) -> "Records":
        """All records but those of `rows`, and no trace of these."""
        kept = np.setdiff1d(np.arange(len(self), dtype=np.int32), rows)
        rest = Records()
        rest.append(self.cut(kept))
        return rest

    def _named(self, part: Part) -> Table:
        """The rows of `part` with the numbers that names have here."""
        numbers = [self._names.setdefault(name, len(self._names)) for name in part.names]
        translation = np.array([*numbers, parts.NOBODY], np.int32)
        rows = part.rows.copy()
        for column in parts.NAMED:
            rows[column] = translation[rows[column]]
        return rows

    def _append_vectors(self, vectors: Floats, rows: Table) -> None:
        """Add vectors; those of another width than the first ones are none."""
        if vectors.size and not self._fits(vectors[0]):
            vectors = vectors[:, :0]
        if vectors.shape[1] == self._width:
            self._vectors.extend(vectors)
            return
        rows["flags"] &= ~np.uint8(parts.EMBEDDED)
        self._vectors.extend(np.zeros((len(rows), self._width), np.float32))

    def _fits(self, vector: Floats) -> bool:
        """Whether the vector is as wide as the others; the first one says how wide that is."""
        if not self._width:
            wide = Growing[np.float32](np.float32, vector.shape)
            wide.extend(np.zeros((len(self), *vector.shape), np.float32))
            self._vectors = wide
        return len(vector) == self._width

    @property
    def _width(self) -> int:
        width: int = self._vectors.rows.shape[1]
        return width

    def _link(self, rows: Table, start: int) -> None:
        """Find the row before each in its session, and the passage each belongs to."""
        before, passages = list[int](), list[int]()
        columns = (rows[name].tolist() for name in ("ai", "session", "length"))
        for row, (ai, session, length) in enumerate(zip(*columns, strict=True), start):
            latest, passage, words = self._threads.get((ai, session), (row, parts.NOBODY, 0))
            if passage == parts.NOBODY or words + length > RECIPE.passage_words:
                passage, words, self._passages = self._passages, 0, self._passages + 1
            if session != parts.NOBODY:
                self._threads[ai, session] = row, passage, words + length
            before.append(latest)
            passages.append(passage)
        self._before.extend(np.array(before, np.int32))
        self._passage.extend(np.array(passages, np.int32))

    def _characterise(self, rows: Table, start: int) -> None:
        before = self._before.rows[start:]
        follows: Flags = before != np.arange(start, len(self), dtype=np.int32)
        asked = (self._flags.rows[before] & np.uint8(parts.QUESTION)) != 0
        self._traits.extend(Traits.of(rows, follows, asked))


def _renamed(table: Table, names: Sequence[str]) -> Sequence[str]:
    """The names that `table` uses, which are numbered anew in it."""
    columns = np.concatenate([table[column] for column in parts.NAMED])
    used = np.unique(columns[columns != parts.NOBODY])
    translation = np.full(len(names) + 1, parts.NOBODY, np.int32)
    translation[used] = np.arange(len(used), dtype=np.int32)
    for column in parts.NAMED:
        table[column] = translation[table[column]]
    return tuple(names[number] for number in used)
