"""The `Changes` port over SQL."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Row, Table

from memweaver.adapters.sql import memories, schema, scoped, segments, turns, users
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import vectors_from_body
from memweaver.adapters.sql.sealed import SealedDatabase, body_of
from memweaver.domain.search import Kind, Ref
from memweaver.errors import Unreadable
from memweaver.ports.changes import Changes, Delta, Segment, Stamp, Vectors

STAMP = Prepared(scoped.reading(schema.users, schema.users.c.epoch, schema.users.c.version))


def changed_in(table: Table) -> Prepared:
    later = table.c.version > scoped.given("after")
    return Prepared(
        scoped.reading(table)
        .where(later, table.c.version <= scoped.given("upto"))
        .order_by(table.c.version)
    )


CHANGED = tuple(
    changed_in(table) for table in (schema.turns, schema.memories, schema.vectors, schema.erased)
)
FEW, LIGHT = 8, 64_000
"""Versions, and bytes of them, up to which telling takes less than a thread is worth."""


class SqlChanges(Changes):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def stamp(self, user: str) -> Stamp | None:
        found = await self._database.plain.glance(STAMP, {"user": user})
        return Stamp(*found[0]) if found else None

    async def since(self, user: str, after: int, upto: int) -> Delta:
        asked = {"user": user, "after": after, "upto": upto}
        if upto - after <= FEW:
            changed = await self._database.plain.glances(CHANGED, asked, upto - after)
            if weight(changed) <= LIGHT:
                with suppress(Unreadable):  # a key that is not open yet is opened in a thread
                    return delta(None, self._database.keyring, changed)
        return await self._database.read(
            lambda c, keys: delta(c, keys, [lookup(c, asked) for lookup in CHANGED])
        )

    async def records(self, user: str, refs: Collection[Ref]) -> Delta:
        return await self._database.read(lambda c, keys: named(c, keys, user, frozenset(refs)))

    async def index_key(self, user: str) -> bytes | None:
        key = await self._database.read(lambda c, keys: users.current_key(c, keys, user))
        return None if key is None else key.for_indexes

    async def segments(self, user: str) -> Sequence[Segment]:
        return await self._database.read(lambda c, keys: segments.kept(c, keys, user))

    async def keep_segment(self, user: str, seen: Stamp, segment: Segment) -> bool:
        return await self._database.write(
            lambda c, keys: segments.keep(c, keys, user, seen, segment)
        )


def weight(changed: Sequence[Sequence[Any]]) -> int:
    *sealed, _erased = changed
    return sum(len(row.body) for rows in sealed for row in rows)


def delta(
    connection: Connection | None, keyring: Keyring, changed: Sequence[Sequence[Any]]
) -> Delta:
    said, known, embedded, erased = changed
    return Delta(
        turns=[turns.opened(connection, keyring, row) for row in said],
        memories=[memories.opened(connection, keyring, row) for row in known],
        vectors=[vectors_of(connection, keyring, row) for row in embedded],
        erased=[ref_of(row) for row in erased],
    )


def named(connection: Connection, keyring: Keyring, user: str, refs: frozenset[Ref]) -> Delta:
    """The records that `refs` name, each list oldest first."""
    ids = sorted({ref.id for ref in refs})

    def there(table: Table, ref: Callable[[Row[Any]], Ref]) -> Sequence[Row[Any]]:
        statement = scoped.reading(table).where(table.c.id.in_(scoped.several("ids")))
        rows = scoped.in_pieces(connection, statement, {"user": user}, "ids", ids)
        return sorted((row for row in rows if ref(row) in refs), key=lambda row: row.version)

    said, known = there(schema.turns, turn_ref), there(schema.memories, memory_ref)
    return Delta(
        turns=[turns.opened(connection, keyring, row) for row in said],
        memories=[memories.opened(connection, keyring, row) for row in known],
        vectors=[vectors_of(connection, keyring, row) for row in there(schema.vectors, ref_of)],
        erased=[],
    )


def vectors_of(connection: Connection | None, keyring: Keyring, row: Row[Any]) -> Vectors:
    body = body_of(connection, keyring, schema.vectors, row)
    return Vectors(ref_of(row), row.model, vectors_from_body(body))


def ref_of(row: Row[Any]) -> Ref:
    return Ref(Kind(row.kind), row.id, row.revision)


def turn_ref(row: Row[Any]) -> Ref:
    return Ref(Kind.TURN, row.id)


def memory_ref(row: Row[Any]) -> Ref:
    return Ref(Kind.MEMORY, row.id, row.revision)
