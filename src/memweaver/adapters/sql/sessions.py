"""The `Sessions` port over SQL."""

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.house_schema import sessions
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.rows import micros, packed, time, unpacked
from memweaver.adapters.sql.sealed import SealedDatabase, body_of, with_body
from memweaver.adapters.sql.users import begun, locked
from memweaver.domain.scope import Scope, checked_name
from memweaver.errors import Conflict, NotFound
from memweaver.ports.sessions import Session, Sessions
from memweaver.ports.store import Page

NAMED = sessions.c.id == scoped.given("of_id")
ANY = scoped.reading(sessions, sessions.c.id).where(NAMED)
RENEW = (
    scoped.updating(sessions)
    .where(NAMED)
    .values(key_id=scoped.given("new_key"), body=scoped.given("new_body"))
)
REMOVE = scoped.removing(sessions).where(NAMED)


class SqlSessions(Sessions):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def add(self, session: Session) -> None:
        await self._database.write(lambda c, keys: add(c, keys, session))

    async def session(self, scope: Scope, session_id: str) -> Session:
        return await self._database.read(
            lambda c, keys: opened(c, keys, row_of(c, scope, session_id))
        )

    async def sessions(self, scope: Scope, *, before: int | None, limit: int) -> Page[Session]:
        return await self._database.read(
            lambda c, keys: listed(c, keys, scope, before=before, limit=limit)
        )

    async def rename(self, scope: Scope, session_id: str, name: str) -> Session:
        return await self._database.write(lambda c, keys: rename(c, keys, scope, session_id, name))

    async def erase(self, scope: Scope, session_id: str) -> None:
        await self._database.plain.write(lambda c: erase(c, scope, session_id))
        await self._database.plain.scrub()


def add(connection: Connection, keyring: Keyring, session: Session) -> None:
    checked_name("id", session.id)
    owner = session.scope.user
    head = begun(connection, keyring, owner, reserved=1)
    if connection.execute(ANY, {"user": owner, "of_id": session.id}).first() is not None:
        raise Conflict(f"there is a session {session.id!r} already")
    row = {
        "owner": owner,
        "id": session.id,
        "ai": session.scope.ai,
        "serial": head.next_version(),
        "created_at": micros(session.created_at),
    }
    sealed = with_body(keyring, head.key, sessions, row, packed(session.name))
    connection.execute(insert(sessions), sealed)


def row_of(connection: Connection, scope: Scope, session_id: str) -> Row[Any]:
    mine = scoped.seen(sessions, scope).where(sessions.c.id == scoped.known_name(session_id))
    row = connection.execute(mine, {"user": scope.user}).one_or_none()
    if row is None:
        raise NotFound(f"there is no session {session_id!r}")
    return row


def listed(
    connection: Connection, keyring: Keyring, scope: Scope, *, before: int | None, limit: int
) -> Page[Session]:
    rows, following = scoped.page(
        connection,
        scoped.seen(sessions, scope),
        sessions.c.serial,
        before=before,
        limit=limit,
        owner=scope.user,
    )
    return Page([opened(connection, keyring, row) for row in rows], following)


def rename(
    connection: Connection, keyring: Keyring, scope: Scope, session_id: str, name: str
) -> Session:
    head = locked(connection, keyring, scope.user)
    if head is None:
        raise NotFound(f"there is no session {session_id!r}")
    row = row_of(connection, scope, session_id)
    names = {"owner": row.owner, "id": row.id}
    sealed = with_body(keyring, head.key, sessions, names, packed(name))
    anew = {"new_key": sealed["key_id"], "new_body": sealed["body"]}
    connection.execute(RENEW, {"user": row.owner, "of_id": row.id, **anew})
    return replace(opened(connection, keyring, row), name=name)


def erase(connection: Connection, scope: Scope, session_id: str) -> None:
    row = row_of(connection, scope, session_id)
    connection.execute(REMOVE, {"user": row.owner, "of_id": row.id})


def opened(connection: Connection, keyring: Keyring, row: Row[Any]) -> Session:
    name = unpacked(body_of(connection, keyring, sessions, row))
    return Session(Scope(row.owner, row.ai), row.id, name, time(row.created_at))
