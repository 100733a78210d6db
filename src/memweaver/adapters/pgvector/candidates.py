"""Finds the rows that may answer a question: by meaning, by words, by date, and the latest."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    bindparam,
    column,
    func,
    literal,
    or_,
    select,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY, array

from memweaver.adapters.pgvector import method
from memweaver.adapters.pgvector.lexical import COMMON, Lexicon, Match
from memweaver.adapters.pgvector.method import Method
from memweaver.adapters.pgvector.schema import records
from memweaver.domain import ranking
from memweaver.domain.dates import Span
from memweaver.domain.scope import Scope

NEAREST, WORDED, DATED, LATEST = 100, 100, 50, 50
"""How many rows each way of looking contributes at least; and twice as many as are wanted."""
DAY = 86_400_000_000
FIRST_DAY = date(1970, 1, 1).toordinal()
LATE = max(days for days, _ in ranking.SOON_AFTER)

BY_INDEX = text("SET LOCAL enable_seqscan = off")
"""Reading everybody's rows is never the way, however cheap it looks to a planner."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Looking:
    """Where to look, and for how many: `admitted` are the rows that may be returned.

    `vector` is the question's by `model`, or `None`; `rows` is how many the user has.
    """

    scope: Scope
    admitted: ColumnElement[bool]
    rows: int
    vector: Floats | None
    model: str
    limit: int

    @property
    def mine(self) -> ColumnElement[bool]:
        return records.c.owner == self.scope.user

    @property
    def embedded(self) -> ColumnElement[bool]:
        return records.c.embedded_by == self.model

    @property
    def distance(self) -> ColumnElement[float]:
        """How far each row's vector is from the question's."""
        distance: ColumnElement[float] = records.c.embedding.cosine_distance(self.vector)
        return distance

    @property
    def exact_distance(self) -> ColumnElement[float]:
        """The same; but added to something it is nothing that an index could sort by."""
        return self.distance + literal(0.0)

    def at_least(self, rows: int) -> int:
        return max(rows, 2 * self.limit)


def nearest(
    connection: Connection, looking: Looking, chosen: Method, *, exact_below: int
) -> Sequence[int]:
    """The seats of the rows nearest in meaning, nearest first."""
    if looking.vector is None:
        return []
    wanted = looking.at_least(NEAREST)
    many = chosen is not Method.EXACT and looking.rows >= exact_below
    if many and method.worth_it(connection, looking.rows, wanted):
        method.tune(connection, wanted)
        found = connection.scalars(by_distance(looking, looking.distance).limit(wanted)).all()
        method.untune(connection)
        if len(found) >= wanted:
            return found
    return connection.scalars(by_distance(looking, looking.exact_distance).limit(wanted)).all()


def by_distance(looking: Looking, distance: ColumnElement[float]) -> Select[int]:
    return select(records.c.seat).where(looking.admitted, looking.embedded).order_by(distance)


def latest(connection: Connection, looking: Looking) -> Sequence[int]:
    """The rows told last: also those that no model has read yet and no word leads to."""
    told = select(records.c.seat).where(looking.admitted).order_by(records.c.at.desc())
    return connection.scalars(told.limit(looking.at_least(LATEST))).all()


def dated(connection: Connection, looking: Looking, spans: Sequence[Span]) -> Sequence[int]:
    """The rows told on the days asked for or soon after, the nearest in meaning first."""
    days = [span for span in spans if span.last - span.first <= ranking.LONGEST_MONTH]
    if not days:
        return []
    told = or_(
        *(
            records.c.at.between(micros_of(day.first), micros_of(day.last + LATE + 1))
            for day in days
        )
    )
    order = records.c.at if looking.vector is None else looking.exact_distance
    found = select(records.c.seat).where(looking.admitted, told).order_by(order.nulls_last())
    return connection.scalars(found.limit(looking.at_least(DATED))).all()


def years_told(connection: Connection, looking: Looking) -> range:
    """The years from which there are records."""
    ends = select(func.min(records.c.at), func.max(records.c.at)).where(looking.mine)
    first, last = connection.execute(ends).one()
    return range(0) if first is None else range(year_of(first), year_of(last) + 1)


def matches(connection: Connection, looking: Looking, terms: Sequence[int]) -> list[Match]:
    """The rows of the user that hold one of `terms`, of each word as many as tell it is common.

    The numbers of words are this user's own, so words are looked up first and the owner checked
    after: a planner that knows little of the user would look through all of the user's rows.
    """
    connection.execute(BY_INDEX)
    given = bindparam("terms", terms, ARRAY(BigInteger))
    asked = func.unnest(given).table_valued(column("term", BigInteger), name="asked")
    term = asked.render_derived().c.term
    often = func.cardinality(func.array_positions(records.c.terms, term))
    held = (
        select(
            records.c.owner,
            records.c.seat,
            records.c.length,
            records.c.pairs,
            term.label("term"),
            often.label("often"),
            looking.admitted.label("admitted"),
        )
        .where(records.c.terms.contains(array([term])))
        .limit(COMMON)
        .lateral("held")
    )
    found = (
        select(*(held.c[name] for name in Match.__slots__))
        .select_from(term.table)
        .join(held, true())
        .where(held.c.owner == looking.scope.user)
    )
    return [Match(*row) for row in connection.execute(found)]


def worded(looking: Looking, lexicon: Lexicon, found: Collection[Match]) -> Sequence[int]:
    """The admitted rows with the best words, best first."""
    rows = {one.seat: one for one in found if one.admitted}

    def score(seat: int) -> float:
        one = rows[seat]
        return lexicon.words(seat, one.length) + lexicon.phrase(seat, one.pairs)

    return sorted(rows, key=score, reverse=True)[: looking.at_least(WORDED)]


def micros_of(day: int) -> int:
    return (day - FIRST_DAY) * DAY


def day_of(micros: int) -> int:
    return micros // DAY + FIRST_DAY


def year_of(micros: int) -> int:
    return date.fromordinal(day_of(micros)).year
