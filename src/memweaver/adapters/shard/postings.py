"""Which records hold a word, and how often: sorted by word, immutable, exact when appended to."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from memweaver.adapters.shard.arrays import Counts, Floats, Hashes, Numbers

MOST_OFTEN = 65_535
STEP = 8
"""Postings are merged with those before them unless these are so many times larger."""


@dataclass(frozen=True, slots=True)
class Match:
    """The records, or passages, that hold one word, ascending, and how often each does."""

    records: Counts
    often: NDArray[np.uint16] | Floats


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
        return _grouped(self._spread()[kept], records[kept], self.often[kept])

    def merged(self, later: "Postings") -> "Postings":
        """With the postings of `later` records."""
        words = np.union1d(self.words, later.words)
        sizes = np.zeros(len(words), np.int64)
        places = [np.searchsorted(words, one.words) for one in (self, later)]
        counts = [np.diff(one.starts) for one in (self, later)]
        for place, count in zip(places, counts, strict=True):
            sizes[place] += count
        starts = np.concatenate(([0], np.cumsum(sizes)))
        free = starts[:-1].copy()
        records = np.empty(starts[-1], np.int32)
        often = np.empty(starts[-1], np.uint16)
        for one, place, count in zip((self, later), places, counts, strict=True):
            target = np.repeat(free[place] - one.starts[:-1], count) + np.arange(len(one))
            records[target], often[target] = one.records, one.often
            free[place] += count
        return Postings(words, starts, records, often)

    def find(self, words: Hashes) -> list[Match | None]:
        """For each word its postings, `None` where there are none."""
        if not len(self.words):
            return [None] * len(words)
        places = np.minimum(np.searchsorted(self.words, words), len(self.words) - 1)
        held = (self.words[places] == words).tolist()
        starts, ends = self.starts[places].tolist(), self.starts[places + 1].tolist()
        return [
            Match(self.records[start:end], self.often[start:end]) if there else None
            for there, start, end in zip(held, starts, ends, strict=True)
        ]

    def _spread(self) -> Hashes:
        return np.repeat(self.words, np.diff(self.starts))


def _grouped(words: Hashes, records: Counts, often: NDArray[np.uint16]) -> Postings:
    """Postings from one word for each record that holds it, sorted by word."""
    news = np.ones(len(words), np.bool_)
    news[1:] = words[1:] != words[:-1]
    [first] = np.nonzero(news)
    return Postings(words[first], np.append(first, len(words)).astype(np.int64), records, often)


NOTHING = Postings.of(np.empty(0, np.uint64), np.empty(0, np.int32))
NOWHERE = Match(NOTHING.records, NOTHING.often)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All postings of a shard: a large immutable piece, and ever smaller ones after it."""

    pieces: Sequence[Postings] = field(default=())

    def extended(self, later: Postings) -> "Lexicon":
        pieces = list(self.pieces)
        while pieces and len(pieces[-1]) < STEP * len(later):
            later = pieces.pop().merged(later)
        return Lexicon((*pieces, later))

    def matches(self, words: Hashes) -> list[Match]:
        """For each of `words`, the records that hold it."""
        if not self.pieces:
            return [NOWHERE] * len(words)
        found = zip(*(piece.find(words) for piece in self.pieces), strict=True)
        return [_joined([match for match in every if match]) for every in found]

    def renumbered(self, numbers: Counts) -> Postings:
        whole = NOTHING
        for piece in self.pieces:
            whole = whole.merged(piece.renumbered(numbers))
        return whole

    @property
    def nbytes(self) -> int:
        return sum(piece.nbytes for piece in self.pieces)


def _joined(matches: Sequence[Match]) -> Match:
    if len(matches) == 1:
        return matches[0]
    if not matches:
        return NOWHERE
    records = np.concatenate([one.records for one in matches])
    return Match(records, np.concatenate([one.often for one in matches]))
