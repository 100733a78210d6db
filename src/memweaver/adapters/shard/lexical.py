"""What the words of a question say about records: BM25 of texts and passages, and coverage."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log1p

import numpy as np

from memweaver.adapters.shard.arrays import Counts, Flags, Floats, Hashes, Numbers
from memweaver.adapters.shard.postings import Found
from memweaver.adapters.shard.reading import pairs
from memweaver.adapters.shard.snapshot import Snapshot
from memweaver.adapters.shard.words import Words
from memweaver.domain.question import Question
from memweaver.domain.ranking import RECIPE

MOST_CELLS = 250_000
"""Of a table with a row for each word, of some twenty bytes each: other words are next in turn."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What a question is looked for by, each once: so many `words`, then those that adjoin in it.

    `naming` are words that only name people.
    """

    terms: Hashes
    words: int
    naming: frozenset[int]

    @classmethod
    def of(cls, question: Question, words: Words) -> "Sought":
        content, every = words.split(question.text)
        naming, _ = words.split(" ".join(question.about))
        own = sorted(set(content))
        adjoining = sorted(set(pairs(np.array(every, np.uint64)).tolist()))
        return cls(np.array([*own, *adjoining], np.uint64), len(own), frozenset(naming))

    @property
    def telling(self) -> Flags:
        """Which of the words do not only name people."""
        own = self.terms[: self.words].tolist()
        return np.array([word not in self.naming for word in own], np.bool_)


@dataclass(frozen=True, slots=True)
class Lexical:
    """Scores for every row, not yet brought to the same scale."""

    words: Floats
    passage: Floats
    phrase: Floats
    coverage: Floats


def lexical(snapshot: Snapshot, sought: Sought) -> Lexical:
    found = snapshot.words.find(sought.terms)
    holding = np.bincount(found.word, minlength=len(sought.terms))
    rare = rarity(holding, len(snapshot))
    held, telling = holding[: sought.words] > 0, sought.telling
    said = _held(found, held)
    words, phrase = _bm25(snapshot, found, sought.words, rare)
    missing = int((telling & ~held).sum())
    return Lexical(
        words,
        _passages(snapshot, said, int(held.sum()))[snapshot.passage],
        phrase,
        _coverage(snapshot, said, (rare[: sought.words] * telling)[held], missing),
    )


def _held(found: Found, held: Flags) -> Found:
    """What is found of words, under the numbers of only those words that some record holds."""
    [words] = (found.word < len(held)).nonzero()
    numbers = held.cumsum() - 1
    return Found(numbers[found.word[words]], found.records[words], found.often[words])


def rarity(holding: Numbers | Floats, of_all: int) -> Floats:
    """The inverse document frequency of BM25, never negative, of each word."""
    return np.log1p((of_all - holding + 0.5) / (holding + 0.5)).astype(np.float32)


def _bm25(snapshot: Snapshot, found: Found, words: int, rare: Floats) -> tuple[Floats, Floats]:
    """Of words and of phrases, all in one go: most are in few records."""
    size = len(snapshot)
    cells = found.records + size * (found.word >= words)
    often = found.often.astype(np.float32)
    given = rare[found.word] * often
    given /= often + snapshot.norms[cells]
    scores = np.bincount(cells, given, 2 * size).astype(np.float32)
    own, adjoining = np.float32(RECIPE.words_k1 + 1), np.float32(RECIPE.phrase_k1 + 1)
    return scores[:size] * own, scores[size:] * adjoining


def _passages(snapshot: Snapshot, found: Found, words: int) -> Floats:
    """BM25 of passages: a word is in a passage as often as in its records together."""
    added = snapshot.passage_norms
    size, total = len(added), np.zeros(len(added), np.float32)
    for some, number in _in_turn(found, words, size):
        cells = some.word * size + snapshot.passage[some.records]
        counts = np.bincount(cells, some.often, number * size).reshape(number, size)
        often = counts.astype(np.float32)
        rare = rarity(np.count_nonzero(often, axis=1), size)
        total += np.einsum("w,wp->p", rare, often / (often + added))
    return total * np.float32(RECIPE.passage_k1 + 1)


def _coverage(snapshot: Snapshot, found: Found, rare: Floats, missing: int) -> Floats:
    """The share of the words, by rarity, that a row has, or that stand within two rows of it."""
    size = len(snapshot)
    whole = 1e-9 + float(rare.sum()) + missing * log1p(2 * size)
    own = np.bincount(found.records, rare[found.word], size).astype(np.float32)
    around = np.zeros(size, np.float32)
    for some, number in _in_turn(found, len(rare), size):
        near = np.zeros((number, size), np.float32)
        for rows in _window(snapshot, some.records):
            near[some.word, rows] = 1
        around += np.einsum("w,wr->r", rare[:number], near)
        rare = rare[number:]
    around -= own
    around *= snapshot.traits.coverage_fade
    own += around
    own /= np.float32(whole)
    return own


def _in_turn(found: Found, words: int, size: int) -> Iterator[tuple[Found, int]]:
    """Some words after the others, numbered from nought, so that a table of them is not too big."""
    step = max(1, MOST_CELLS // max(size, 1))
    if words <= step:
        yield found, words
        return
    for first in range(0, words, step):
        [chosen] = np.nonzero((found.word >= first) & (found.word < first + step))
        some = Found(found.word[chosen] - first, found.records[chosen], found.often[chosen])
        yield some, min(step, words - first)


def _window(snapshot: Snapshot, rows: Counts) -> Iterator[Counts]:
    before, after = snapshot.before[rows], snapshot.after[rows]
    yield from (rows, before, after, snapshot.before[before], snapshot.after[after])
