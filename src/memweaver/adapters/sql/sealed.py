"""Rows with a sealed body: where each belongs, how it is sealed and opened, whoever runs it."""

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, TypeVar

from sqlalchemy import Connection, Table

from memweaver.adapters.sql.database import Database
from memweaver.adapters.sql.house_schema import accounts, replies, secrets, sessions, webhooks
from memweaver.adapters.sql.job_schema import staged
from memweaver.adapters.sql.keyring import Keyring, UserKey
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import Values
from memweaver.adapters.sql.schema import (
    ais,
    memories,
    segments,
    turns,
    vectors,
    windows,
)
from memweaver.errors import Unreadable
from memweaver.ports.cipher import Context

T = TypeVar("T")
SealedWork = Callable[[Connection, Keyring], T]

PLACES: Mapping[Table, Callable[[Any], tuple[str, int]]] = {
    turns: lambda row: (row.id, row.version),
    memories: lambda row: (f"{row.id}@{row.revision}", row.version),
    vectors: lambda row: (f"{row.kind} {row.id}@{row.revision}", row.version),
    segments: lambda row: (f"{row.after}-{row.upto}", row.upto),
    ais: lambda row: (row.id, 1),
    staged: lambda row: (f"{row.batch} {row.name}", 1),
    windows: lambda row: (row.session.hex(), 1),
    accounts: lambda row: (row.id, 1),
    secrets: lambda row: (row.id, row.version),
    sessions: lambda row: (row.id, 1),
    replies: lambda row: (row.id.hex(), 1),
    webhooks: lambda row: (row.id, 1),
}
"""The name and version that bind each table's sealed body to its row."""


def place(table: Table, row: Any) -> Context:
    name, version = PLACES[table](row)
    return Context(row.owner, table.name, "body", name, version)


def with_body(keyring: Keyring, key: UserKey, table: Table, row: Values, clear: bytes) -> Values:
    """`row` with its body sealed under `key`."""
    sealed = keyring.seal(key, clear, place(table, SimpleNamespace(**row)))
    return {**row, "key_id": key.id, "body": sealed}


def body_of(connection: Connection | None, keyring: Keyring, table: Table, row: Any) -> bytes:
    """The body of a stored row, in clear. Raises `Unreadable`.

    Without a connection only a key that is open already does.
    """
    key = keyring.key(connection, row.owner, row.key_id)
    return keyring.open(key, row.body, place(table, row))


class SealedDatabase:
    """Runs works with the keys at hand.

    A work that cannot open something is tried once more with no key held from before: another
    process may have renewed the keys meanwhile.
    """

    def __init__(self, database: Database, keyring: Keyring) -> None:
        self.plain = database
        self.keyring = keyring

    async def read(self, work: SealedWork[T]) -> T:
        try:
            return await self.plain.read(lambda connection: work(connection, self.keyring))
        except Unreadable:
            self.keyring.forget()
            return await self.plain.read(lambda connection: work(connection, self.keyring))

    async def glance(
        self, table: Table, lookup: Prepared, parameters: Mapping[str, object]
    ) -> Sequence[tuple[Any, bytes]]:
        """The rows of a lookup by key with their bodies: cheap as long as the keys are open."""
        rows = await self.plain.glance(lookup, parameters)
        try:
            return [(row, body_of(None, self.keyring, table, row)) for row in rows]
        except Unreadable:
            return await self.read(
                lambda c, keys: [
                    (row, body_of(c, keys, table, row)) for row in lookup(c, parameters)
                ]
            )

    async def write(self, work: SealedWork[T], *, quick: bool = False) -> T:
        def sealing(connection: Connection) -> T:
            return work(connection, self.keyring)

        try:
            return await self.plain.write(sealing, quick=quick)
        except Unreadable:
            self.keyring.forget()
            return await self.plain.write(sealing)
