"""Which rows a search may return, as a condition of SQL."""

from datetime import datetime

from sqlalchemy import Column, ColumnElement, and_, false, or_

from memweaver.adapters.pgvector.blind import Blind
from memweaver.adapters.pgvector.rows import micros
from memweaver.adapters.pgvector.schema import records
from memweaver.domain.memory import Tier
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter, Kind

RECALLED = frozenset(Tier) - {Tier.ARCHIVE}
"""The tiers searched unless others are asked for."""


def owned(scope: Scope) -> ColumnElement[bool]:
    """The rows of a scope."""
    mine = records.c.owner == scope.user
    return mine if scope.ai is None else and_(mine, records.c.ai == scope.ai)


def shared_with(scope: Scope) -> ColumnElement[bool]:
    """The memories that other AIs of the user share with a scope."""
    mine = and_(records.c.owner == scope.user, records.c.kind == Kind.MEMORY)
    return and_(mine, records.c.ai.in_(sorted(scope.shared)))


def written_in(scope: Scope) -> ColumnElement[bool]:
    """The rows written in exactly this scope."""
    return and_(records.c.owner == scope.user, records.c.ai.is_not_distinct_from(scope.ai))


def admitted(
    scope: Scope, blind: Blind, where: Filter, now: datetime | None
) -> ColumnElement[bool]:
    """The rows a scope may read and `where` admits; without a time, also what does not hold now."""
    readable = or_(owned(scope), shared_with(scope)) if scope.shared else owned(scope)
    return and_(readable, or_(_turns(blind, where), _memories(where, now)))


def _turns(blind: Blind, where: Filter) -> ColumnElement[bool]:
    if not where.turns:
        return false()
    rows = records.c.kind == Kind.TURN
    if where.session is not None:
        rows &= records.c.session == blind.name("session", where.session)
    if where.as_of is not None:
        rows &= records.c.known_from <= micros(where.as_of)
    return rows


def _memories(where: Filter, now: datetime | None) -> ColumnElement[bool]:
    """Memories belong to no session: a search within one finds none."""
    if where.session is not None:
        return false()
    tiers = RECALLED if where.tiers is None else where.tiers
    if where.as_of is None:
        known: ColumnElement[bool] = records.c.known_to.is_(None)
    else:
        known = _holds(records.c.known_from, records.c.known_to, where.as_of)
    rows = and_(records.c.kind == Kind.MEMORY, records.c.tier.in_(sorted(tiers)), known)
    if (at := where.valid_at or where.as_of or now) is None:
        return rows
    return and_(rows, _holds(records.c.valid_from, records.c.valid_to, at))


def _holds(start: Column[int], end: Column[int], at: datetime) -> ColumnElement[bool]:
    """Whether `at` lies between two times, open ends included."""
    time = micros(at)
    return and_(or_(start.is_(None), start <= time), or_(end.is_(None), end > time))
