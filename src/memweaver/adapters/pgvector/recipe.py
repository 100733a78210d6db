"""The recipe at work on the rows found: each is scored by every term the question calls for."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from memweaver.adapters.pgvector.candidates import day_of
from memweaver.adapters.pgvector.dated import told_of, told_then
from memweaver.adapters.pgvector.found import Found
from memweaver.adapters.pgvector.lexical import Lexicon
from memweaver.adapters.pgvector.rows import ANSWERS, BY_USER, QUESTION
from memweaver.domain.dates import Span
from memweaver.domain.question import Answer, Question
from memweaver.domain.ranking import RECIPE
from memweaver.domain.search import Kind


@dataclass(frozen=True, slots=True)
class Scored:
    found: Found
    explanation: Mapping[str, float]

    @property
    def score(self) -> float:
        return sum(self.explanation.values())


@dataclass(frozen=True, slots=True)
class Term:
    """What one term of the recipe gives to each row, between 0 and 1."""

    name: str
    weight: float
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that the terms look at: `asked_about` is the speaker the question is about, if one."""

    question: Question
    rows: Sequence[Found]
    lexicon: Lexicon
    spans: Sequence[Span]
    asked_about: Callable[[Found], bool] | None

    def best(self, limit: int) -> list[Scored]:
        """The best of the admitted rows; of those that are as good, the latest."""
        admitted = [row for row in self.rows if row.admitted]
        if not admitted:
            return []
        terms = list(self._terms(admitted))
        whole = sum(term.weight for term in terms)
        shares = [[term.weight / whole * value for value in term.values] for term in terms]
        totals = [sum(each) for each in zip(*shares, strict=True)]

        def rank(at: int) -> tuple[float, int, str, int]:
            row = admitted[at]
            return -totals[at], -row.at, row.id, row.ordinal

        names = [term.name for term in terms]
        return [
            Scored(admitted[at], dict(zip(names, (share[at] for share in shares), strict=True)))
            for at in nsmallest(limit, range(len(admitted)), key=rank)
        ]

    def _terms(self, rows: Sequence[Found]) -> Iterator[Term]:
        if any(row.cosine is not None for row in rows):
            yield Term("meaning", RECIPE.meaning, _scaled(self._meanings(rows)))
        yield from self._by_words(rows)
        yield from self._by_dates(rows)
        yield from self._by_kind(rows)
        if self.asked_about is not None:
            spoken = [float(self.asked_about(row)) for row in rows]
            yield Term("speaker", RECIPE.speaker, spoken)
        full = [min(1.0, row.length / RECIPE.length_full) for row in rows]
        yield Term("length", RECIPE.length, full)
        yield Term("statement", RECIPE.statement, [float(_states(row)) for row in rows])

    def _meanings(self, rows: Sequence[Found]) -> list[float]:
        """The likeness of each row with what its neighbours lend; unread rows are as the mean."""
        read = [row.cosine for row in self.rows if row.cosine is not None]
        usual = sum(read) / len(read)
        seated = {row.seat: row for row in self.rows}

        def likeness(row: Found | None) -> float:
            if row is None:
                return 0.0
            return usual if row.cosine is None else row.cosine

        def neighbours(row: Found) -> tuple[Found | None, Found | None]:
            # A memory stands alone: it lends to itself, or every turn would have more than it can.
            if row.kind == Kind.MEMORY:
                return row, row
            return seated.get(row.seat - 1), seated.get(row.seat + 1)

        def meaning(row: Found) -> float:
            before, after = neighbours(row)
            asked = before is not None and before.flags & QUESTION
            lent = likeness(before) * (1 + RECIPE.reply * bool(asked)) + likeness(after)
            fade = min(1.0, RECIPE.meaning_fades / (row.length + 1))
            return likeness(row) + RECIPE.neighbour * fade * lent

        return [meaning(row) for row in rows]

    def _by_words(self, rows: Sequence[Found]) -> Iterator[Term]:
        lexicon = self.lexicon
        if not lexicon.asks_for_words:
            return
        words = [lexicon.words(row.seat, row.length) for row in rows]
        phrase = [lexicon.phrase(row.seat, row.pairs) for row in rows]
        passage = [lexicon.passage(row.seat) for row in rows]
        coverage = [lexicon.coverage(row.seat, row.length) for row in rows]
        yield Term("words", RECIPE.words, _scaled(words))
        yield Term("passage", RECIPE.passage, _scaled(passage))
        yield Term("phrase", RECIPE.phrase, _scaled(phrase))
        yield Term("coverage", RECIPE.coverage, coverage)

    def _by_dates(self, rows: Sequence[Found]) -> Iterator[Term]:
        if not self.spans:
            return
        days = [told_then(day_of(row.at), self.spans) for row in rows]
        yield Term("day", RECIPE.day, days)
        mentioned = [told_of(row.mentions, self.spans) for row in rows]
        yield Term("mentioned_day", RECIPE.mentioned_day, mentioned)

    def _by_kind(self, rows: Sequence[Found]) -> Iterator[Term]:
        kind = self.question.answer
        if kind is Answer.ANY:
            return
        fitting = [float(bool(row.flags & ANSWERS[kind])) for row in rows]
        if kind is Answer.ADVICE:
            yield Term("preference", RECIPE.preference, fitting)
        else:
            yield Term("answer", RECIPE.answer, fitting)


def by_user(row: Found) -> bool:
    return bool(row.flags & BY_USER)


def _states(row: Found) -> bool:
    return not (row.flags & QUESTION and row.length <= RECIPE.short_question)


def _scaled(values: Sequence[float]) -> Sequence[float]:
    """Stretched so that the worst has 0 and the best 1."""
    least, most = min(values), max(values)
    return [(value - least) / (most - least + 1e-9) for value in values]
