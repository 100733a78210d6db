"""The `EventLog` port over SQL."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.database import Database
from memweaver.adapters.sql.house_schema import events
from memweaver.adapters.sql.rows import micros, time
from memweaver.adapters.sql.telling import tell
from memweaver.adapters.sql.users import LOCK
from memweaver.domain.event import Event, EventKind, Told
from memweaver.domain.memory import Tier
from memweaver.domain.scope import Scope
from memweaver.ports.events import EventLog

AT_A_TIME = 5_000
"""Events forgotten in one transaction: others write in between."""
LAST = (
    scoped.everybodys(events, events.c.owner, func.max(events.c.number).label("number"))
    .where(events.c.owner.in_(scoped.several("users")))
    .group_by(events.c.owner)
)
OLD = select(events.c.number).where(events.c.at < scoped.given("before")).limit(AT_A_TIME)
TRIM = delete(events).where(events.c.number.in_(OLD))


class SqlEventLog(EventLog):
    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, given: Sequence[Event]) -> None:
        await self._database.write(lambda c: append(c, given))

    async def since(self, scope: Scope, after: int, limit: int) -> Sequence[Told]:
        later = scoped.seen(events, scope).where(events.c.number > after)
        some = later.order_by(events.c.number).limit(limit)
        mine = {"user": scope.user}
        return await self._database.read(
            lambda c: [told_from_row(row) for row in c.execute(some, mine)]
        )

    async def latest(self, users: Collection[str]) -> Mapping[str, int]:
        named = sorted(users)
        return await self._database.read(
            lambda c: {
                row.owner: row.number for row in scoped.in_pieces(c, LAST, {}, "users", named)
            }
        )

    async def trim(self, before: datetime) -> int:
        some = trimmed = await self._trim(before)
        while some == AT_A_TIME:
            some = await self._trim(before)
            trimmed += some
        return trimmed

    async def _trim(self, before: datetime) -> int:
        old = {"before": micros(before)}
        return await self._database.write(lambda c: c.execute(TRIM, old).rowcount)


def append(connection: Connection, given: Sequence[Event]) -> None:
    for owner in sorted({event.scope.user for event in given}):
        if connection.execute(LOCK, {"user": owner}).one_or_none() is None:
            continue
        for event in given:
            if event.scope.user == owner:
                tell(connection, event)


def told_from_row(row: Row[Any]) -> Told:
    tier = None if row.tier is None else Tier(row.tier)
    scope = Scope(row.owner, row.ai)
    return Told(row.number, Event(EventKind(row.kind), scope, row.id, time(row.at), tier))
