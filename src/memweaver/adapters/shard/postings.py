"""Which records hold a word, and how often: sorted by word, immutable, exact when appended to.

Two words side by side are a word of their own here. Arrays are asked by their methods: of arrays
as short as most of these are, numpy's functions take longer to be called than to work.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memweaver.adapters.shard.arrays import Counts, Flags, Hashes, Numbers

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
        """From every word spoken and the record it was spoken in, ascending for each word."""
        order = words.argsort(kind="stable")
        words, records = words[order], records[order]
        news = np.ones(len(words), np.bool_)
        news[1:] = (words[1:] != words[:-1]) | (records[1:] != records[:-1])
        starts = _starts(news)
        first, often = starts[:-1], np.minimum(starts[1:] - starts[:-1], MOST_OFTEN)
        return _grouped(words[first], records[first], often.astype(np.uint16))

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
        order = words.argsort(kind="stable")  # two ascending runs: it merges them
        records = np.concatenate((self.records, later.records))
        often = np.concatenate((self.often, later.often))
        return _grouped(words[order], records[order], often[order])

    def find(self, words: Hashes) -> Found:
        if not len(self):
            return NOWHERE
        places = np.minimum(self.words.searchsorted(words), len(self.words) - 1)
        [held] = (self.words[places] == words).nonzero()
        if not len(held):
            return NOWHERE
        places = places[held]
        starts = self.starts[places]
        sizes = self.starts[places + 1] - starts
        ends = sizes.cumsum()
        chosen = np.arange(ends[-1]) + (starts - ends + sizes).repeat(sizes)
        return Found(held.repeat(sizes), self.records[chosen], self.often[chosen])

    def spread(self) -> Hashes:
        """The word of each posting."""
        return self.words.repeat(self.starts[1:] - self.starts[:-1])


def _grouped(words: Hashes, records: Counts, often: NDArray[np.uint16]) -> Postings:
    """Postings from one word for each record that holds it, sorted by word."""
    news = np.ones(len(words), np.bool_)
    news[1:] = words[1:] != words[:-1]
    starts = _starts(news)
    return Postings(words[starts[:-1]], starts, records, often)


def _starts(news: Flags) -> Numbers:
    """Where something new begins, and where the last of it ends."""
    [first] = news.nonzero()
    starts = np.empty(len(first) + 1, np.int64)
    starts[:-1] = first
    starts[-1] = len(news)
    return starts


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
        found = [one for piece in self.pieces if len((one := piece.find(words)).word)]
        if len(found) < 2:  # noqa: PLR2004 - nothing to join
            return found[0] if found else NOWHERE
        return Found(
            np.concatenate([one.word for one in found]),
            np.concatenate([one.records for one in found]),
            np.concatenate([one.often for one in found]),
        )

    def renumbered(self, numbers: Counts) -> Postings:
        whole = NOTHING
        for piece in self.pieces:
            whole = whole.merged(piece.renumbered(numbers))
        return whole

    @property
    def nbytes(self) -> int:
        return sum(piece.nbytes for piece in self.pieces)
