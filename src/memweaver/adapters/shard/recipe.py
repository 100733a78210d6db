"""The recipe at work: every row is scored by every term that the question calls for."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from memweaver.adapters.shard import part as parts
from memweaver.adapters.shard.arrays import Flags, Floats, Numbers
from memweaver.adapters.shard.dated import told_of, told_then
from memweaver.adapters.shard.lexical import Sought, lexical
from memweaver.adapters.shard.snapshot import Snapshot
from memweaver.domain.question import Answer, Question, days_asked_for
from memweaver.domain.ranking import RECIPE

CONTENDERS = 8
"""How many rows are ranked within their sessions for each that is wanted."""

NOUGHT = np.float32(0)
NOISE = np.float32(1e-5)
"""Rows that differ less than this do not differ: what is stretched then is rounding."""


@dataclass(frozen=True, slots=True)
class Search:
    """One question put to the rows `within` a snapshot, all of them if `None`."""

    snapshot: Snapshot
    question: Question
    sought: Sought
    vector: Floats | None
    within: Numbers | None
    asked_about: Flags | None
    now: datetime


@dataclass(frozen=True, slots=True)
class Term:
    """What one term of the recipe gives to each row, between 0 and its weight.

    It is what a row's value has more than the `least` one, times the `factor`.
    """

    name: str
    weight: float
    values: Floats | Flags
    factor: np.float32
    least: np.float32 = NOUGHT

    @property
    def shares(self) -> Floats:
        """Of every row. The least first: of large products nothing would be left to compare."""
        shares = np.subtract(self.values, self.least, dtype=np.float32)
        shares *= self.factor
        return shares


def cosines(snapshot: Snapshot, vector: Floats | None) -> Floats | None:
    """The likeness of every row to the question; rows without a vector are as like as the mean."""
    missing = snapshot.without_vector
    embedded = len(snapshot) - len(missing)
    if vector is None or snapshot.vectors.shape[1] != len(vector) or not embedded:
        return None
    # Not `@`: OpenBLAS takes threads for it, which wait spinning and cost ten times the product.
    likeness: Floats = np.vecdot(snapshot.vectors, vector)
    if len(missing):
        likeness[missing] = 0
        likeness[missing] = likeness.sum() / embedded
    return likeness


def terms(search: Search, likeness: Floats | None) -> Iterator[Term]:
    """The terms that the question calls for, over the rows searched."""
    if likeness is not None:
        yield _scaled(search, "meaning", RECIPE.meaning, _with_neighbours(search, likeness))
    yield from _by_words(search)
    yield from _by_dates(search)
    yield from _by_kind(search)
    if search.asked_about is not None:
        yield _plain("speaker", RECIPE.speaker, search.asked_about)
    yield _plain("length", RECIPE.length, search.snapshot.traits.fullness)
    yield _plain("statement", RECIPE.statement, search.snapshot.traits.stating)


def spread(search: Search, total: Floats, limit: int) -> Term:
    """More for the best of each session. Only rows that may still be among the best are ranked."""
    few = min(CONTENDERS * limit, len(total) if search.within is None else len(search.within))
    contenders = np.argpartition(total, -few)[-few:]
    contenders = contenders[np.argsort(-total[contenders], kind="stable")]
    ranks = dict[tuple[int, int], int]()
    shares = np.zeros(len(total), np.float32)
    for row in contenders.tolist():
        session = search.snapshot.session_of(row)
        rank = ranks[session] = ranks.get(session, -1) + 1
        shares[row] = max(0.0, 1 - rank / RECIPE.spread_steps)
    return _plain("spread", RECIPE.spread, shares)


def _with_neighbours(search: Search, likeness: Floats) -> Floats:
    snapshot = search.snapshot
    lent = snapshot.traits.lent_before * likeness[snapshot.before]
    lent += snapshot.lent_after * likeness[snapshot.after]
    lent += likeness
    lent += snapshot.lone * likeness.mean()
    return lent


def _by_words(search: Search) -> Iterator[Term]:
    if not search.sought.words:
        return
    found = lexical(search.snapshot, search.sought)
    yield _scaled(search, "words", RECIPE.words, found.words)
    yield _scaled(search, "passage", RECIPE.passage, found.passage)
    yield _scaled(search, "phrase", RECIPE.phrase, found.phrase)
    yield _plain("coverage", RECIPE.coverage, found.coverage)


def _by_dates(search: Search) -> Iterator[Term]:
    snapshot = search.snapshot
    years = snapshot.years if search.question.dates else []
    spans = days_asked_for(search.question, years, search.now)
    if not spans:
        return
    yield _plain("day", RECIPE.day, told_then(snapshot.days, spans))
    told = told_of(snapshot.mentions, spans, len(snapshot))
    yield _plain("mentioned_day", RECIPE.mentioned_day, told)


def _by_kind(search: Search) -> Iterator[Term]:
    kind = search.question.answer
    if kind is Answer.ANY:
        return
    fitting = search.snapshot.flagged(parts.ANSWERS[kind])
    if kind is Answer.ADVICE:
        yield _plain("preference", RECIPE.preference, fitting)
    else:
        yield _plain("answer", RECIPE.answer, fitting)


def _plain(name: str, weight: float, values: Floats | Flags) -> Term:
    return Term(name, weight, values, np.float32(weight))


def _scaled(search: Search, name: str, weight: float, values: Floats) -> Term:
    """The term stretched so that the worst of the rows searched has 0 and the best its weight."""
    searched = values if search.within is None else values[search.within]
    least, most = np.minimum.reduce(searched), np.maximum.reduce(searched)
    return Term(name, weight, values, np.float32(weight / max(most - least, NOISE)), least)
