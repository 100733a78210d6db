"""Finds the rows that may answer a question: by meaning, by words, by date, and the latest."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    case,
    column,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.dialects.postgresql import ARRAY, array

from memweaver.adapters.pgvector import filters, method
from memweaver.adapters.pgvector.following import State
from memweaver.adapters.pgvector.lexical import WINDOW, Lexicon, Match, Place, Sought
from memweaver.adapters.pgvector.method import Method
from memweaver.adapters.pgvector.schema import records
from memweaver.domain import ranking
from memweaver.domain.dates import Span
from memweaver.domain.question import Question
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter

NEAREST, WORDED, DATED, LATEST = 100, 100, 50, 50
"""How many rows each way of looking contributes at least; and twice as many as are wanted."""
Floats = NDArray[np.float32]
DAY = 86_400_000_000
FIRST_DAY = date(1970, 1, 1).toordinal()
LATE = max(days for days, _ in ranking.SOON_AFTER)


@dataclass(frozen=True, slots=True)
class Search:
    """One question put to the rows of a scope."""

    state: State
    scope: Scope
    where: Filter
    now: datetime
    question: Question
    sought: Sought
    vector: Floats | None
    model: str
    limit: int

    @property
    def admitted(self) -> ColumnElement[bool]:
        return filters.admitted(self.scope, self.where, self.now)

    @property
    def embedded(self) -> ColumnElement[bool]:
        return records.c.embedded_by == self.model

    @property
    def distance(self) -> ColumnElement[float]:
        """How far each row's vector is from the question's."""
        distance: ColumnElement[float] = records.c.embedding.cosine_distance(self.vector)
        return distance

    def at_least(self, rows: int) -> int:
        return max(rows, 2 * self.limit)


def nearest(
    connection: Connection, search: Search, chosen: Method, *, exact_below: int
) -> Sequence[int]:
    """The rows nearest in meaning, nearest first."""
    if search.vector is None:
        return []
    wanted = search.at_least(NEAREST)
    rows = search.state.rows
    if (
        chosen is not Method.EXACT
        and rows >= exact_below
        and method.worth_it(connection, rows, wanted)
    ):
        method.tune(connection, wanted)
        found = connection.scalars(by_distance(search, search.distance).limit(wanted)).all()
        method.untune(connection)
        if len(found) >= wanted:
            return found
    # Added to something, a distance is nothing an index could sort by: all rows are looked at.
    exactly = search.distance + literal(0.0)
    return connection.scalars(by_distance(search, exactly).limit(wanted)).all()


def by_distance(search: Search, distance: ColumnElement[float]) -> Select[int]:
    return select(records.c.number).where(search.admitted, search.embedded).order_by(distance)


def latest(connection: Connection, search: Search) -> Sequence[int]:
    """The rows told last: also those that no model has read yet and no word leads to."""
    statement = (
        select(records.c.number)
        .where(search.admitted)
        .order_by(records.c.at.desc())
        .limit(search.at_least(LATEST))
    )
    return connection.scalars(statement).all()


def dated(connection: Connection, search: Search, spans: Sequence[Span]) -> Sequence[int]:
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
    order = records.c.at if search.vector is None else search.distance + literal(0.0)
    statement = select(records.c.number).where(search.admitted, told).order_by(order.nulls_last())
    return connection.scalars(statement.limit(search.at_least(DATED))).all()


def years_told(connection: Connection, search: Search) -> range:
    """The years from which there are records."""
    ends = select(func.min(records.c.at), func.max(records.c.at)).where(filters.owned(search.scope))
    first, last = connection.execute(ends).one()
    if first is None:
        return range(0)
    return range(year_of(first), year_of(last) + 1)


def matches(connection: Connection, search: Search) -> list[Match]:
    """Every row of the user that holds a sought word; rarity is judged by all of them."""
    terms = bindparam("terms", search.sought.terms, ARRAY(BigInteger))
    asked = (
        func.unnest(terms).table_valued(column("term", BigInteger), name="asked").render_derived()
    )
    statement = (
        select(
            records.c.number,
            records.c.ai,
            records.c.session,
            records.c.seat,
            records.c.length,
            records.c.pairs,
            asked.c.term,
            func.cardinality(func.array_positions(records.c.terms, asked.c.term)).label("often"),
            search.admitted.label("admitted"),
        )
        .select_from(asked)
        .join(records, records.c.terms.contains(array([asked.c.term])))
        .where(records.c.owner == search.scope.user)
    )
    return [
        Match(row.number, place_of(row), row.length, row.pairs, row.term, row.often, row.admitted)
        for row in connection.execute(statement)
    ]


def worded(search: Search, lexicon: Lexicon, found: Collection[Match]) -> Sequence[int]:
    """The admitted rows with the best words, best first."""
    rows = {one.number: (one.place, one.length, one.pairs) for one in found if one.admitted}

    def score(number: int) -> float:
        place, length, pairs = rows[number]
        return lexicon.words(place, length) + lexicon.phrase(place, pairs)

    return sorted(rows, key=score, reverse=True)[: search.at_least(WORDED)]


def with_neighbours(
    connection: Connection, search: Search, numbers: Collection[int]
) -> Iterator[Row[Any]]:
    """The rows of `numbers` and those who sit beside them, with all that the recipe asks for."""
    mine = records.c.owner == search.scope.user
    named = records.c.number == func.any(bindparam("numbers", sorted(numbers), ARRAY(BigInteger)))
    seats = select(records.c.ai, records.c.session, records.c.seat).where(mine, named).cte("seats")
    beside = (
        select(records.c.number)
        .join(
            seats,
            and_(
                records.c.session == seats.c.session,
                records.c.ai.is_not_distinct_from(seats.c.ai),
                records.c.seat.between(seats.c.seat - WINDOW, seats.c.seat + WINDOW),
            ),
        )
        .where(mine)
    )
    statement = select(*columns(search)).where(mine, or_(named, records.c.number.in_(beside)))
    yield from connection.execute(statement)


def columns(search: Search) -> Iterator[ColumnElement[Any]]:
    names = "kind id revision ordinal ai session seat number speaker at flags length pairs mentions"
    yield from (records.c[name] for name in names.split())
    yield search.admitted.label("admitted")
    if search.vector is None:
        yield literal(None).label("cosine")
    else:
        yield case((search.embedded, 1 - search.distance)).label("cosine")


def place_of(row: Row[Any]) -> Place:
    return row.ai, row.session, row.number if row.seat is None else row.seat


def micros_of(day: int) -> int:
    return (day - FIRST_DAY) * DAY


def day_of(micros: int) -> int:
    return micros // DAY + FIRST_DAY


def year_of(micros: int) -> int:
    return date.fromordinal(day_of(micros)).year
