"""Which records hold a word, and how often: sorted by word, immutable, exact when appended to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memweaver.adapters.shard.arrays import Counts, Hashes, Numbers

MOST_OFTEN = 65_535
STEP = 32
"""Postings are merged with those before them unless these are so many times larger.

Merging costs little, and each piece more is one more to look words up in.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """Where words are: each time the place of the word among those sought, the record, how often.

    The records of a word ascend.
    """

    word: Numbers
    records: Counts
    often: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Postings:
    """For each word of `words`, from `starts` on: the records that hold it, ascending."""

    words: Hashes
    starts: Numbers
    records: Counts
    often: NDArray[np.uint16]

    @classmethod
    def of(cls, words: Hashes, records: Counts) -> "Postings":
        """From every word spoken and the record it was spoken in, `records` ascending."""
        order = np.argsort(words, kind="stable")
        words, records = words[order], records[order]
        news = np.ones(len(words), np.bool_)
        news[1:] = (words[1:] != words[:-1]) | (records[1:] != records[:-1])
        [first] = np.nonzero(news)
        often = np.minimum(np.diff(first, append=len(words)), MOST_OFTEN).astype(np.uint16)
        return _grouped(words[first], records[first], often)

    def __len__(self) -> int:
        return len(self.records)

    @property
    def nbytes(self) -> int:
        return sum(a.nbytes for a in (self.words, self.starts, self.records, self.often))

    def moved(self, by: int) -> "Postings":
        """The same postings for records numbered `by` higher."""
        if not by:
            return self
        return Postings(self.words, self.starts, self.records + np.int32(by), self.often)

    def renumbered(self, numbers: Counts) -> "Postings":
        """The postings of the records that keep a number; the others have a negative one.

        Numbers must ascend, so that records still do within each word.
        """
        records = numbers[self.records]
        kept = records >= 0
        return _grouped(self.spread()[kept], records[kept], self.often[kept])

    def merged(self, later: "Postings") -> "Postings":
        """With the postings of `later` records."""
        words = np.concatenate((self.spread(), later.spread()))
        order = np.argsort(words, kind="stable")  # two ascending runs: it merges them
        records = np.concatenate((self.records, later.records))
        often = np.concatenate((self.often, later.often))
        return _grouped(words[order], records[order], often[order])

    def find(self, words: Hashes) -> Found:
        if not len(self):
            return NOWHERE
        places = np.minimum(np.searchsorted(self.words, words), len(self.words) - 1)
        [held] = np.nonzero(self.words[places] == words)
        starts = self.starts[places[held]]
        sizes = self.starts[places[held] + 1] - starts
        ends = np.cumsum(sizes)
        chosen = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + sizes, sizes)
        return Found(np.repeat(held, sizes), self.records[chosen], self.often[chosen])

    def spread(self) -> Hashes:
        """The word of each posting."""
        return np.repeat(self.words, np.diff(self.starts))


def _grouped(words: Hashes, records: Counts, often: NDArray[np.uint16]) -> Postings:
    """Postings from one word for each record that holds it, sorted by word."""
    news = np.ones(len(words), np.bool_)
    news[1:] = words[1:] != words[:-1]
    [first] = np.nonzero(news)
    return Postings(words[first], np.append(first, len(words)).astype(np.int64), records, often)


NOTHING = Postings.of(np.empty(0, np.uint64), np.empty(0, np.int32))
NOWHERE = Found(NOTHING.starts[:0], NOTHING.records, NOTHING.often)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All postings of a shard: a large immutable piece, and ever smaller ones after it."""

    pieces: Sequence[Postings] = field(default=())

    def extended(self, later: Postings) -> "Lexicon":
        pieces = list(self.pieces)
        while pieces and len(pieces[-1]) < STEP * len(later):
            later = pieces.pop().merged(later)
        return Lexicon((*pieces, later))

    def find(self, words: Hashes) -> Found:
        found = [piece.find(words) for piece in self.pieces]
        if len(found) == 1:
            return found[0]
        return Found(
            np.concatenate([NOWHERE.word, *(one.word for one in found)]),
            np.concatenate([NOWHERE.records, *(one.records for one in found)]),
            np.concatenate([NOWHERE.often, *(one.often for one in found)]),
        )

    def renumbered(self, numbers: Counts) -> Postings:
        whole = NOTHING
        for piece in self.pieces:
            whole = whole.merged(piece.renumbered(numbers))
        return whole

    @property
    def nbytes(self) -> int:
        return sum(piece.nbytes for piece in self.pieces)
