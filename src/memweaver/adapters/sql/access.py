"""The `AccessStore` port over SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, exc, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.database import Database
from memweaver.adapters.sql.house_schema import access_keys, revoked_tokens
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import micros, micros_or_none, time, time_or_none
from memweaver.domain.principal import permissions_named
from memweaver.errors import Conflict, NotFound
from memweaver.ports.access import AccessStore, ApiKey

BY_DIGEST = Prepared(select(access_keys).where(access_keys.c.digest == scoped.given("digest")))

REVOKED = Prepared(select(revoked_tokens).where(revoked_tokens.c.id == scoped.given("id")))
REVOKE = Prepared(
    sqlite.insert(revoked_tokens).on_conflict_do_nothing(),
    elsewhere=postgresql.insert(revoked_tokens).on_conflict_do_nothing(),
)


class SqlAccess(AccessStore):
    def __init__(self, database: Database) -> None:
        self._database = database

    async def add_key(self, key: ApiKey) -> None:
        await self._database.write(lambda connection: add(connection, key))

    async def key_by_digest(self, digest: bytes) -> ApiKey | None:
        found = await self._database.glance(BY_DIGEST, {"digest": digest})
        return key_from_row(found[0]) if found else None

    async def keys(self, user: str | None = None) -> Sequence[ApiKey]:
        return await self._database.read(lambda connection: listed(connection, user))

    async def revoke_key(self, key_id: str, at: datetime) -> bool:
        return await self._database.write(lambda connection: revoke(connection, key_id, at))

    async def revoke_token(self, token_id: str, expires_at: datetime) -> None:
        row = {"id": token_id, "expires_at": micros(expires_at)}
        await self._database.write(lambda connection: REVOKE.changed(connection, row))

    async def token_revoked(self, token_id: str) -> bool:
        return bool(await self._database.glance(REVOKED, {"id": token_id}))

    async def sweep_tokens(self, *, before: datetime) -> int:
        expired = delete(revoked_tokens).where(revoked_tokens.c.expires_at <= micros(before))
        return await self._database.write(lambda connection: connection.execute(expired).rowcount)


def add(connection: Connection, key: ApiKey) -> None:
    row = {
        "id": key.id,
        "owner": key.user,
        "digest": key.digest,
        "label": key.label,
        "created_at": micros(key.created_at),
        "revoked_at": micros_or_none(key.revoked_at),
        "permissions": " ".join(sorted(key.permissions)),
        "ai": key.ai,
        "realm": key.realm,
        "expires_at": micros_or_none(key.expires_at),
    }
    try:
        connection.execute(insert(access_keys), row)
    except exc.IntegrityError as error:
        taken = f"there is an API key {key.id!r} already, or one with its secret"
        raise Conflict(taken) from error


def listed(connection: Connection, user: str | None) -> Sequence[ApiKey]:
    statement = select(access_keys).order_by(access_keys.c.created_at, access_keys.c.id)
    if user is not None:
        statement = statement.where(access_keys.c.owner == user)
    return [key_from_row(row) for row in connection.execute(statement)]


def revoke(connection: Connection, key_id: str, at: datetime) -> bool:
    this = access_keys.c.id == scoped.known_name(key_id)
    if connection.execute(select(access_keys.c.id).where(this)).first() is None:
        raise NotFound(f"there is no API key {key_id!r}")
    standing = update(access_keys).where(this, access_keys.c.revoked_at.is_(None))
    return connection.execute(standing.values(revoked_at=micros(at))).rowcount > 0


def key_from_row(row: Row[Any]) -> ApiKey:
    return ApiKey(
        id=row.id,
        user=row.owner,
        digest=row.digest,
        label=row.label,
        created_at=time(row.created_at),
        revoked_at=time_or_none(row.revoked_at),
        permissions=permissions_named(row.permissions.split()),
        ai=row.ai,
        realm=row.realm,
        expires_at=time_or_none(row.expires_at),
    )
