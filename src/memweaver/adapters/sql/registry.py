"""The `AiRegistry` port over SQL."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.rows import micros, packed, time, unpacked
from memweaver.adapters.sql.schema import ais
from memweaver.adapters.sql.sealed import SealedDatabase, body_of, with_body
from memweaver.adapters.sql.users import begun
from memweaver.domain.scope import checked_name
from memweaver.errors import NotFound
from memweaver.ports.registry import Ai, AiRegistry

THEIRS = scoped.reading(ais).order_by(ais.c.created_at, ais.c.id)
ONE = scoped.reading(ais).where(ais.c.id == scoped.given("id"))


class SqlRegistry(AiRegistry):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def register(self, ai: Ai) -> Ai:
        return await self._database.write(lambda c, keys: register(c, keys, ai))

    async def ai(self, user: str, ai_id: str) -> Ai:
        return await self._database.read(lambda c, keys: one(c, keys, user, ai_id))

    async def ais(self, user: str) -> Sequence[Ai]:
        return await self._database.read(lambda c, keys: theirs(c, keys, user))


def register(connection: Connection, keyring: Keyring, ai: Ai) -> Ai:
    checked_name("id", ai.id)
    head = begun(connection, keyring, ai.user, reserved=0)
    kept = connection.execute(ONE, {"user": ai.user, "id": ai.id}).one_or_none()
    if kept is not None:
        return opened(connection, keyring, kept)
    row = {"owner": ai.user, "id": ai.id, "created_at": micros(ai.created_at)}
    body = packed({"name": ai.name, "permissions": dict(ai.permissions)})
    connection.execute(insert(ais), with_body(keyring, head.key, ais, row, body))
    return ai


def one(connection: Connection, keyring: Keyring, user: str, ai_id: str) -> Ai:
    names = {"user": user, "id": scoped.known_name(ai_id)}
    row = connection.execute(ONE, names).one_or_none()
    if row is None:
        raise NotFound(f"there is no AI {ai_id!r}")
    return opened(connection, keyring, row)


def theirs(connection: Connection, keyring: Keyring, user: str) -> Sequence[Ai]:
    rows = connection.execute(THEIRS, {"user": user}).all()
    return [opened(connection, keyring, row) for row in rows]


def opened(connection: Connection, keyring: Keyring, row: Row[Any]) -> Ai:
    private = unpacked(body_of(connection, keyring, ais, row))
    return Ai(row.owner, row.id, private["name"], time(row.created_at), private["permissions"])
