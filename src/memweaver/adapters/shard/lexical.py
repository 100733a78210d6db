"""What the words of a question say about records: BM25 of texts and passages, and coverage."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log1p

import numpy as np

from memweaver.adapters.shard.arrays import Counts, Flags, Floats, Hashes, Numbers
from memweaver.adapters.shard.postings import Found
from memweaver.adapters.shard.reading import pairs
from memweaver.adapters.shard.snapshot import Norm, Snapshot
from memweaver.adapters.shard.words import Words
from memweaver.domain.question import Question
from memweaver.domain.ranking import RECIPE

MOST_CELLS = 250_000
"""Of a table with a row for each word, of some twenty bytes each: other words are next in turn."""


@dataclass(frozen=True, slots=True)
class Sought:
    """The words of a question, each once; `naming` are those that only name people."""

    content: Hashes
    phrases: Hashes
    naming: frozenset[int]

    @classmethod
    def of(cls, question: Question, words: Words) -> "Sought":
        content, every = words.split(question.text)
        naming, _ = words.split(" ".join(sorted(question.about)))
        phrases = pairs(np.array(every, np.uint64))
        return cls(np.array(sorted(set(content)), np.uint64), np.unique(phrases), frozenset(naming))


@dataclass(frozen=True, slots=True)
class Lexical:
    """Scores for every row, not yet brought to the same scale."""

    words: Floats
    passage: Floats
    phrase: Floats
    coverage: Floats


def lexical(snapshot: Snapshot, sought: Sought) -> Lexical:
    words, held = _held(snapshot.words.find(sought.content), len(sought.content))
    phrases, _ = _held(snapshot.phrases.find(sought.phrases), len(sought.phrases))
    telling = np.array([word not in sought.naming for word in sought.content.tolist()], np.bool_)
    return Lexical(
        _bm25(words, snapshot.word_norm, RECIPE.words_k1),
        _passages(snapshot, words, int(held.sum()))[snapshot.passage],
        _bm25(phrases, snapshot.phrase_norm, RECIPE.phrase_k1),
        _coverage(snapshot, words, telling[held], int((telling & ~held).sum())),
    )


def _held(found: Found, words: int) -> tuple[Found, Flags]:
    """What is found under the numbers of only those words that some record holds; and which."""
    held = np.bincount(found.word, minlength=words) > 0
    numbers = np.cumsum(held) - 1
    return Found(numbers[found.word], found.records, found.often), held


def rarity(holding: Numbers | Floats, of_all: int) -> Floats:
    """The inverse document frequency of BM25, never negative, of each word."""
    return np.log1p((of_all - holding + 0.5) / (holding + 0.5)).astype(np.float32)


def _bm25(found: Found, norm: Norm, k1: float) -> Floats:
    """All words in one go: most questions have many, of which each is in few records."""
    often = found.often.astype(np.float32)
    rare = rarity(np.bincount(found.word), len(norm))
    given = rare[found.word] * often
    given /= often + norm[found.records]
    return np.bincount(found.records, given, len(norm)).astype(np.float32) * np.float32(k1 + 1)


def _passages(snapshot: Snapshot, found: Found, words: int) -> Floats:
    """BM25 of passages: a word is in a passage as often as in its records together."""
    norm = snapshot.passage_norm
    size, total = len(norm), np.zeros(len(norm), np.float32)
    added = norm[np.arange(size, dtype=np.int32)]
    for some, number in _in_turn(found, words, size):
        cells = some.word * size + snapshot.passage[some.records]
        counts = np.bincount(cells, some.often, number * size).reshape(number, size)
        often = counts.astype(np.float32)
        rare = rarity(np.count_nonzero(often, axis=1), size)
        total += np.einsum("w,wp->p", rare, often / (often + added))
    return total * np.float32(RECIPE.passage_k1 + 1)


def _coverage(snapshot: Snapshot, found: Found, telling: Flags, missing: int) -> Floats:
    """The share of the words, by rarity, that a row has, or that stand within two rows of it."""
    size = len(snapshot)
    rare = rarity(np.bincount(found.word, minlength=len(telling)), size) * telling
    whole = 1e-9 + float(rare.sum()) + missing * log1p(2 * size)
    own = np.bincount(found.records, rare[found.word], size).astype(np.float32)
    around = np.zeros(size, np.float32)
    for some, number in _in_turn(found, len(telling), size):
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
