"""The `Audit` port over SQL."""

from collections.abc import Sequence

from sqlalchemy import Connection, insert, select

from memweaver.adapters.sql.database import Database
from memweaver.adapters.sql.house_schema import audit
from memweaver.adapters.sql.rows import micros, time
from memweaver.ports.audit import Audit, Deed


class SqlAudit(Audit):
    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, deed: Deed) -> None:
        await self._database.write(lambda connection: add(connection, deed))

    async def deeds(self, limit: int) -> Sequence[Deed]:
        return await self._database.read(lambda connection: latest(connection, limit))


def add(connection: Connection, deed: Deed) -> None:
    row = {
        "at": micros(deed.at),
        "actor": deed.actor,
        "action": deed.action,
        "subject": deed.subject,
    }
    connection.execute(insert(audit), row)


def latest(connection: Connection, limit: int) -> Sequence[Deed]:
    rows = connection.execute(select(audit).order_by(audit.c.number.desc()).limit(limit))
    return [Deed(time(row.at), row.actor, row.action, row.subject) for row in rows]
