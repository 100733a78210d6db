"""The `SecretStore` port over SQL."""

import os
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.house_schema import secrets
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.rows import micros, time
from memweaver.adapters.sql.sealed import SealedDatabase, body_of, with_body
from memweaver.adapters.sql.users import Head, begun
from memweaver.domain.scope import HOUSE
from memweaver.ports.secrets import Secret, SecretStore

NAMED = secrets.c.id == scoped.given("name")
VERSIONS = scoped.reading(secrets).where(NAMED).order_by(secrets.c.version.desc())
RETIRE = scoped.removing(secrets).where(NAMED, secrets.c.version < scoped.given("below"))


class SqlSecrets(SecretStore):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def versions(self, name: str) -> Sequence[Secret]:
        return await self._database.read(lambda c, keys: versions(c, keys, name))

    async def first(self, name: str, at: datetime) -> Sequence[Secret]:
        kept = await self.versions(name)
        return kept or await self._database.write(lambda c, keys: first(c, keys, name, at))

    async def renew(self, name: str, at: datetime) -> Secret:
        return await self._database.write(lambda c, keys: renew(c, keys, name, at))

    async def retire(self, name: str, below: int) -> None:
        parameters = {"user": HOUSE, "name": name, "below": below}
        await self._database.plain.write(lambda c: c.execute(RETIRE, parameters))
        await self._database.plain.scrub()


def versions(connection: Connection, keyring: Keyring, name: str) -> Sequence[Secret]:
    rows = connection.execute(VERSIONS, {"user": HOUSE, "name": name}).all()
    return [
        Secret(
            row.id, row.version, time(row.created_at), body_of(connection, keyring, secrets, row)
        )
        for row in rows
    ]


def first(connection: Connection, keyring: Keyring, name: str, at: datetime) -> Sequence[Secret]:
    head = begun(connection, keyring, HOUSE, reserved=0)
    kept = versions(connection, keyring, name)
    return kept or [added(connection, keyring, head, Secret(name, 1, at, os.urandom(32)))]


def renew(connection: Connection, keyring: Keyring, name: str, at: datetime) -> Secret:
    head = begun(connection, keyring, HOUSE, reserved=0)
    newest = next((one.version for one in versions(connection, keyring, name)), 0)
    return added(connection, keyring, head, Secret(name, newest + 1, at, os.urandom(32)))


def added(connection: Connection, keyring: Keyring, head: Head, secret: Secret) -> Secret:
    row = {
        "owner": HOUSE,
        "id": secret.name,
        "version": secret.version,
        "created_at": micros(secret.created_at),
    }
    sealed = with_body(keyring, head.key, secrets, row, secret.value)
    connection.execute(insert(secrets), sealed)
    return secret
