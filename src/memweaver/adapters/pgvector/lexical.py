"""What the words of a question say about records: BM25 of texts and passages, and coverage."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import log, log1p

from memweaver.adapters.pgvector.blind import Blind
from memweaver.adapters.pgvector.following import State
from memweaver.adapters.pgvector.words import Words
from memweaver.domain.question import Question
from memweaver.domain.ranking import RECIPE

MOST_SOUGHT = 64
"""Words, and as many pairs of words, of a question that are looked up."""
COMMON = 1000
"""A word that so many rows of a user hold says too little to be worth the looking up."""
FURTHEST = 8
"""Rows before and after a row that a passage around it has at most."""
WINDOW = 2
"""Rows before and after a row that count for its coverage."""

Counts = Mapping[int, int]
"""How often each word occurs."""
NONE: Counts = {}


@dataclass(frozen=True, slots=True)
class Sought:
    """The words of a question, each once; `naming` are those that only name people."""

    content: frozenset[int]
    phrases: frozenset[int]
    naming: frozenset[int]

    @classmethod
    def of(cls, blind: Blind, question: Question, words: Words) -> "Sought":
        terms = blind.terms(question.text, words)
        naming = blind.terms(" ".join(sorted(question.about)), words)
        return cls(_first(terms.content), _first(terms.phrases), frozenset(naming.content))

    @property
    def terms(self) -> list[int]:
        return sorted(self.content | self.phrases)


def _first(terms: Iterable[int]) -> frozenset[int]:
    return frozenset(list(dict.fromkeys(terms))[:MOST_SOUGHT])


@dataclass(frozen=True, slots=True)
class Match:
    """A row that holds a sought word, and how often."""

    seat: int
    length: int
    pairs: int
    term: int
    often: int
    admitted: bool


class Lexicon:
    """All rows of a user that hold a sought word, and how rare each word is among all rows."""

    def __init__(self, state: State, sought: Sought, matches: Collection[Match]) -> None:
        holding = Counter(match.term for match in matches)
        self._rarity = {
            term: rarity(rows, state.rows) for term, rows in holding.items() if rows < COMMON
        }
        common = {term for term, rows in holding.items() if rows >= COMMON}
        self.asks_for_words = bool(sought.content)
        self._telling = sought.content - sought.naming - common
        absent = log1p(2 * state.rows)
        self._whole = sum(self._rarity.get(term, absent) for term in self._telling)
        self._content: dict[int, dict[int, int]] = defaultdict(dict)
        self._phrases: dict[int, dict[int, int]] = defaultdict(dict)
        for match in matches:
            if match.term not in common:
                kind = self._content if match.term in sought.content else self._phrases
                kind[match.seat][match.term] = match.often
        rows = max(1, state.rows)
        self._mean_words, self._mean_pairs = state.words / rows, state.pairs / rows
        self._reach = _rows_of_a_passage(self._mean_words)

    def words(self, seat: int, length: int) -> float:
        counts = self._content.get(seat, NONE)
        norm = _norm(length, self._mean_words, RECIPE.words_k1, RECIPE.words_b)
        return self._bm25(counts, RECIPE.words_k1, norm)

    def phrase(self, seat: int, pairs: int) -> float:
        counts = self._phrases.get(seat, NONE)
        norm = _norm(pairs, self._mean_pairs, RECIPE.phrase_k1, RECIPE.phrase_b)
        return self._bm25(counts, RECIPE.phrase_k1, norm)

    def passage(self, seat: int) -> float:
        """BM25 of the rows around a row, which are about as long everywhere."""
        counts = defaultdict[int, int](int)
        for neighbour in range(seat - self._reach, seat + self._reach + 1):
            for term, often in self._content.get(neighbour, NONE).items():
                counts[term] += often
        return self._bm25(counts, RECIPE.passage_k1, RECIPE.passage_k1)

    def coverage(self, seat: int, length: int) -> float:
        """The share of the words, by rarity, that a row has, or that stand within two rows."""
        if not self._whole:
            return 0.0
        own = self._telling.intersection(self._content.get(seat, NONE))
        near = (self._content.get(one, NONE) for one in range(seat - WINDOW, seat + WINDOW + 1))
        around = self._telling.intersection(term for counts in near for term in counts) - own
        fade = min(1.0, RECIPE.coverage_fades / (length + 1))
        rare = self._rarity
        return (sum(rare[t] for t in own) + fade * sum(rare[t] for t in around)) / self._whole

    def _bm25(self, counts: Counts, k1: float, norm: float) -> float:
        return sum(
            self._rarity[term] * (k1 + 1) * often / (often + norm) for term, often in counts.items()
        )


def _rows_of_a_passage(words: float) -> int:
    """How many rows to each side make up a passage of the length that the recipe wants."""
    return min(FURTHEST, round((RECIPE.passage_words / max(1.0, words) - 1) / 2))


def rarity(holding: int, of_all: int) -> float:
    """The inverse document frequency of BM25, never negative."""
    return log(1 + (of_all - holding + 0.5) / (holding + 0.5))


def _norm(length: int, mean: float, k1: float, b: float) -> float:
    """What BM25 adds to the count of a word, growing with the length of the text."""
    return k1 * (1 - b + b * length / max(mean, 1e-9))
