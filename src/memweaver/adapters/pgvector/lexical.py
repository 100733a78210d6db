"""What the words of a question say about records: BM25 of texts and passages, and coverage."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log, log1p

from memweaver.adapters.pgvector.following import State
from memweaver.adapters.pgvector.rows import Terms, Words
from memweaver.domain.question import Question
from memweaver.domain.ranking import RECIPE

MOST_SOUGHT = 64
"""Words, and as many pairs of words, of a question that are looked up."""
FURTHEST = 8
"""Rows before and after a row that a passage around it has at most."""
WINDOW = 2
"""Rows before and after a row that count for its coverage."""

Place = tuple[str | None, int | None, int]
"""The AI and the session of a row, and its seat there; without a session nobody sits beside it."""


@dataclass(frozen=True, slots=True)
class Sought:
    """The words of a question, each once; `naming` are those that only name people."""

    content: frozenset[int]
    phrases: frozenset[int]
    naming: frozenset[int]

    @classmethod
    def of(cls, owner: str, question: Question, words: Words) -> "Sought":
        terms = Terms.of(owner, question.text, words)
        naming = Terms.of(owner, " ".join(sorted(question.about)), words)
        return cls(_first(terms.content), _first(terms.phrases), frozenset(naming.content))

    @property
    def terms(self) -> list[int]:
        return sorted(self.content | self.phrases)


def _first(terms: Iterable[int]) -> frozenset[int]:
    return frozenset(list(dict.fromkeys(terms))[:MOST_SOUGHT])


@dataclass(frozen=True, slots=True)
class Match:
    """A row that holds a sought word, and how often."""

    number: int
    place: Place
    length: int
    pairs: int
    term: int
    often: int
    admitted: bool


class Lexicon:
    """All rows of a user that hold a sought word, and how rare each word is among all rows."""

    def __init__(self, state: State, sought: Sought, matches: Collection[Match]) -> None:
        self._state = state
        self._sought = sought
        self._held: dict[Place, dict[int, int]] = defaultdict(dict)
        for match in matches:
            self._held[match.place][match.term] = match.often
        holding = Counter(match.term for match in matches)
        self._rarity = {term: rarity(rows, state.rows) for term, rows in holding.items()}
        self._reach = self._rows_of_a_passage()

    def words(self, place: Place, length: int) -> float:
        norm = _norm(length, self._state.words / self._state.rows, RECIPE.words_k1, RECIPE.words_b)
        return self._bm25(self._counts(place, self._sought.content), RECIPE.words_k1, norm)

    def phrase(self, place: Place, pairs: int) -> float:
        mean = self._state.pairs / self._state.rows
        norm = _norm(pairs, mean, RECIPE.phrase_k1, RECIPE.phrase_b)
        return self._bm25(self._counts(place, self._sought.phrases), RECIPE.phrase_k1, norm)

    def passage(self, place: Place) -> float:
        """BM25 of the rows around a row, which are about as long everywhere."""
        counts = Counter[int]()
        for neighbour in _around(place, self._reach):
            counts.update(self._counts(neighbour, self._sought.content))
        return self._bm25(counts, RECIPE.passage_k1, RECIPE.passage_k1)

    def coverage(self, place: Place, length: int) -> float:
        """The share of the words, by rarity, that a row has, or that stand within two rows."""
        telling = self._sought.content - self._sought.naming
        whole = sum(self._rarity.get(term, log1p(2 * self._state.rows)) for term in telling)
        if not whole:
            return 0.0
        own = set(self._counts(place, telling))
        around = {term for near in _around(place, WINDOW) for term in self._counts(near, telling)}
        fade = min(1.0, RECIPE.coverage_fades / (length + 1))
        rare = self._rarity
        return (sum(rare[t] for t in own) + fade * sum(rare[t] for t in around - own)) / whole

    def _counts(self, place: Place, terms: Collection[int]) -> Mapping[int, int]:
        held = self._held.get(place)
        return {term: often for term, often in held.items() if term in terms} if held else {}

    def _bm25(self, counts: Mapping[int, int], k1: float, norm: float) -> float:
        return sum(
            self._rarity[term] * (k1 + 1) * often / (often + norm) for term, often in counts.items()
        )

    def _rows_of_a_passage(self) -> int:
        """How many rows to each side make up a passage of the length that the recipe wants."""
        mean = max(1.0, self._state.words / max(1, self._state.rows))
        return min(FURTHEST, round((RECIPE.passage_words / mean - 1) / 2))


def _around(place: Place, reach: int) -> Iterator[Place]:
    ai, session, seat = place
    if session is None:
        yield place
        return
    for other in range(seat - reach, seat + reach + 1):
        yield ai, session, other


def rarity(holding: int, of_all: int) -> float:
    """The inverse document frequency of BM25, never negative."""
    return log(1 + (of_all - holding + 0.5) / (holding + 0.5))


def _norm(length: int, mean: float, k1: float, b: float) -> float:
    """What BM25 adds to the count of a word, growing with the length of the text."""
    return k1 * (1 - b + b * length / max(mean, 1e-9))
