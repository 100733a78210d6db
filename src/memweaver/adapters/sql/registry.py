"""The `AiRegistry` port over SQL."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import micros, packed, time, unpacked
from memweaver.adapters.sql.schema import ais
from memweaver.adapters.sql.sealed import SealedDatabase, body_of, with_body
from memweaver.adapters.sql.users import begun, locked
from memweaver.domain.permissions import AiPermissions
from memweaver.domain.scope import checked_name
from memweaver.errors import NotFound
from memweaver.ports.registry import Ai, AiRegistry

THEIRS = Prepared(scoped.reading(ais).order_by(ais.c.created_at, ais.c.id))
ONE = Prepared(scoped.reading(ais).where(ais.c.id == scoped.given("id")))
REMOVE = scoped.removing(ais).where(ais.c.id == scoped.given("of_id"))
RENEW = (
    scoped.updating(ais)
    .where(ais.c.id == scoped.given("of_id"))
    .values(key_id=scoped.given("new_key"), body=scoped.given("new_body"))
)


class SqlRegistry(AiRegistry):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def register(self, ai: Ai) -> Ai:
        return await self._database.write(lambda c, keys: register(c, keys, ai))

    async def ai(self, user: str, ai_id: str) -> Ai:
        names = {"user": user, "id": scoped.known_name(ai_id)}
        found = await self._database.glance(ais, ONE, names)
        if not found:
            raise missing(ai_id)
        return from_row(*found[0])

    async def ais(self, user: str) -> Sequence[Ai]:
        found = await self._database.glance(ais, THEIRS, {"user": user})
        return [from_row(row, body) for row, body in found]

    async def change(self, user: str, ai_id: str, to: Callable[[Ai], Ai]) -> Ai:
        return await self._database.write(lambda c, keys: change(c, keys, user, ai_id, to))

    async def erase(self, user: str, ai_id: str) -> None:
        await self._database.plain.write(lambda c: erase(c, user, ai_id))
        await self._database.plain.scrub()


def register(connection: Connection, keyring: Keyring, ai: Ai) -> Ai:
    checked_name("id", ai.id)
    head = begun(connection, keyring, ai.user, reserved=0)
    if kept := ONE(connection, {"user": ai.user, "id": ai.id}):
        return from_row(kept[0], body_of(connection, keyring, ais, kept[0]))
    row = {"owner": ai.user, "id": ai.id, "created_at": micros(ai.created_at)}
    connection.execute(insert(ais), with_body(keyring, head.key, ais, row, to_body(ai)))
    return ai


def change(
    connection: Connection, keyring: Keyring, user: str, ai_id: str, to: Callable[[Ai], Ai]
) -> Ai:
    """Under the key of now, whichever sealed it before."""
    head = locked(connection, keyring, user)
    if head is None:
        raise missing(ai_id)
    row = row_of(connection, user, ai_id)
    found = from_row(row, body_of(connection, keyring, ais, row))
    made = to(found)
    changed = replace(found, name=made.name, permissions=made.permissions)
    sealed = with_body(keyring, head.key, ais, {"owner": user, "id": row.id}, to_body(changed))
    anew = {"new_key": sealed["key_id"], "new_body": sealed["body"]}
    connection.execute(RENEW, {"user": user, "of_id": row.id, **anew})
    return changed


def erase(connection: Connection, user: str, ai_id: str) -> None:
    row = row_of(connection, user, ai_id)
    connection.execute(REMOVE, {"user": user, "of_id": row.id})


def to_body(ai: Ai) -> bytes:
    return packed({"name": ai.name, "permissions": ai.permissions.told()})


def row_of(connection: Connection, user: str, ai_id: str) -> Row[Any]:
    rows = ONE(connection, {"user": user, "id": scoped.known_name(ai_id)})
    if not rows:
        raise missing(ai_id)
    row: Row[Any] = rows[0]
    return row


def missing(ai_id: str) -> NotFound:
    return NotFound(f"there is no AI {ai_id!r}")


def from_row(row: Row[Any], body: bytes) -> Ai:
    private = unpacked(body)
    permissions = AiPermissions.of(private["permissions"])
    return Ai(row.owner, row.id, private["name"], time(row.created_at), permissions)
