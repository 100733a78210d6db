"""What the words of a question say about records: BM25 of texts and passages, and coverage."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log1p

import numpy as np

from memweaver.adapters.shard.arrays import Counts, Floats, Hashes
from memweaver.adapters.shard.postings import NOWHERE, Match
from memweaver.adapters.shard.reading import pairs
from memweaver.adapters.shard.snapshot import Snapshot
from memweaver.adapters.shard.words import Words
from memweaver.domain.question import Question
from memweaver.domain.ranking import RECIPE


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
    matches = snapshot.words.matches(sought.content)
    content = zip(sought.content.tolist(), matches, strict=True)
    telling = [match for word, match in content if word not in sought.naming]
    return Lexical(
        _bm25(matches, snapshot.word_norm, RECIPE.words_k1),
        _passages(snapshot, matches)[snapshot.passage],
        _bm25(snapshot.phrases.matches(sought.phrases), snapshot.phrase_norm, RECIPE.phrase_k1),
        _coverage(snapshot, telling),
    )


def rarity(holding: int, of_all: int) -> float:
    """The inverse document frequency of BM25, never negative."""
    return log(1 + (of_all - holding + 0.5) / (holding + 0.5))


def _bm25(matches: Sequence[Match], norm: Floats, k1: float) -> Floats:
    """All words in one go: most questions have many, of which each is in few records."""
    size = len(norm)
    sizes = [len(match.records) for match in matches]
    records = np.concatenate([NOWHERE.records, *(match.records for match in matches)])
    often = np.concatenate([NOWHERE.often, *(match.often for match in matches)], dtype=np.float32)
    weights = np.array([rarity(holding, size) * (k1 + 1) for holding in sizes], np.float32)
    given = np.repeat(weights, sizes) * often / (often + norm[records])
    return np.bincount(records, given, size).astype(np.float32)


def _passages(snapshot: Snapshot, matches: Sequence[Match]) -> Floats:
    """BM25 of passages: a word is in a passage as often as in its records together."""
    together = [_in_passages(snapshot, match) for match in matches if len(match.records)]
    return _bm25(together, snapshot.passage_norm, RECIPE.passage_k1)


def _in_passages(snapshot: Snapshot, match: Match) -> Match:
    counts = np.bincount(snapshot.passage[match.records], match.often)
    [holding] = np.nonzero(counts)
    return Match(holding.astype(np.int32), counts[holding].astype(np.float32))


def _coverage(snapshot: Snapshot, matches: Sequence[Match]) -> Floats:
    """The share of the words, by rarity, that a row has, or that stand within two rows of it."""
    size = len(snapshot)
    own, around, scratch = np.zeros((3, size), np.float32)
    whole = 1e-9
    for match in matches:
        if not len(match.records):
            whole += log1p(2 * size)
            continue
        weight = np.float32(rarity(len(match.records), size))
        whole += float(weight)
        own[match.records] += weight
        window = _window(snapshot, match.records)
        scratch[window] = weight
        around += scratch
        scratch[window] = 0
    around -= own
    around *= snapshot.coverage_fade
    own += around
    own /= np.float32(whole)
    return own


def _window(snapshot: Snapshot, rows: Counts) -> Counts:
    before, after = snapshot.before[rows], snapshot.after[rows]
    return np.concatenate((rows, before, after, snapshot.before[before], snapshot.after[after]))
