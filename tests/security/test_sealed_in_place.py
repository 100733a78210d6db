"""What is sealed for one place opens in no other, nor at another version, nor altered."""

from itertools import permutations
from typing import Any

import pytest
from sqlalchemy import URL, Connection, Row, Table, select, update
from tests.conformance.backends import database_behind

from memweaver.adapters.crypto import AesGcmCipher, open_cipher
from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.adapters.sql import open_sql
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.resealing import BOUND
from memweaver.adapters.sql.schema import memories, user_keys
from memweaver.adapters.sql.sealed import SealedDatabase, body_of
from memweaver.domain.memory import Tier
from memweaver.domain.scope import Scope
from memweaver.errors import Unreadable
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Segment
from memweaver.ports.cipher import Context
from memweaver.ports.registry import Ai
from memweaver.testing.conformance.backend import (
    ANN,
    BOB,
    NOON,
    a_memory,
    a_turn,
    memory_ref,
    stamp_of,
    turn_ref,
    vectors_for,
)

Place = tuple[Table, Row[Any]]


class Unbound(AesGcmCipher):
    """A fault to be noticed: it does not care where a sealed value belongs."""

    def seal(self, key: bytes, clear: bytes, context: Context) -> bytes:
        return super().seal(key, clear, Context("", "", "", "", 0))

    def open(self, key: bytes, sealed: bytes | bytearray | memoryview, context: Context) -> bytes:
        return super().open(key, sealed, Context("", "", "", "", 0))


async def fill(backend: Backend, scope: Scope) -> None:
    """Two rows of everything."""
    user = scope.user
    await backend.store.record([a_turn("1", scope=scope), a_turn("2", scope=scope)])
    await backend.store.add([a_memory("1", scope=scope), a_memory("2", scope=scope)])
    await backend.vectors.keep_vectors(
        user, [vectors_for(turn_ref("1"), 1), vectors_for(memory_ref("1"), 1)]
    )
    for name in ("1", "2"):
        await backend.registry.register(Ai(user, name, "Athena", NOON))
    stamp = await stamp_of(backend, user)
    for segment in (Segment(0, 1, b"body"), Segment(1, 2, b"body")):
        assert await backend.changes.keep_segment(user, stamp, segment)


def places(connection: Connection) -> list[Place]:
    return [(table, row) for table in BOUND for row in connection.execute(select(table))]


def opens_elsewhere(connection: Connection, keyring: Keyring) -> list[tuple[str, str]]:
    """The pairs of places where what was sealed for the first opens in the second."""
    wrong = []
    for (table, row), (other_table, other) in permutations(places(connection), 2):
        put(connection, other_table, other, row)
        [moved] = connection.execute(select(other_table).where(*same(other_table, other)))
        if opens(connection, keyring, other_table, moved):
            wrong.append((f"{table} {row.owner}", f"{other_table} {other.owner}"))
        put(connection, other_table, other, other)
    return wrong


def put(connection: Connection, table: Table, row: Row[Any], sealed: Row[Any]) -> None:
    """Put what is sealed in one row into another."""
    moved = {"body": sealed.body, "key_id": sealed.key_id}
    connection.execute(update(table).where(*same(table, row)).values(moved))


def same(table: Table, row: Row[Any]) -> list[Any]:
    return [column == getattr(row, column.name) for column in table.primary_key]


def opens(connection: Connection, keyring: Keyring, table: Table, row: Row[Any]) -> bool:
    try:
        body_of(connection, keyring, table, row)
    except Unreadable:
        return False
    return True


@pytest.mark.requirement("C1")
@pytest.mark.parametrize("cipher", ["aes-gcm", "fernet"])
async def test_nothing_opens_where_it_was_moved_to(url: URL, cipher: str) -> None:
    async with open_sql(url, open_cipher(cipher), MemoryMasterKeys()) as backend:
        await fill(backend, ANN)
        await fill(backend, BOB)
        keyring = keyring_of(backend)
        database = database_behind(backend)
        assert len(await database.read(places)) == 20
        assert await database.write(lambda c: opens_elsewhere(c, keyring)) == []


async def test_a_cipher_that_forgets_the_place_is_noticed(url: URL) -> None:
    async with open_sql(url, Unbound(), MemoryMasterKeys()) as backend:
        await fill(backend, ANN)
        keyring = keyring_of(backend)
        assert await database_behind(backend).write(lambda c: opens_elsewhere(c, keyring)) != []


async def test_an_older_version_of_a_row_does_not_open_any_more(url: URL) -> None:
    def change(connection: Connection, former: Row[Any]) -> None:
        put(connection, memories, former, former)

    async with open_sql(url, open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        database = database_behind(backend)
        await backend.store.add([a_memory("1", tier=Tier.CORE, key="city")])
        former = await database.read(lambda c: c.execute(select(memories)).one())
        await backend.store.add([a_memory("2", tier=Tier.CORE, key="city")])
        await database.write(lambda c: change(c, former))
        with pytest.raises(Unreadable):
            await backend.store.memory(ANN, "1")
        assert (await backend.store.memory(ANN, "2")).id == "2"


async def test_an_altered_row_does_not_open(url: URL) -> None:
    async with open_sql(url, open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await fill(backend, ANN)
        keyring = keyring_of(backend)

        def alter(connection: Connection) -> list[bool]:
            found = []
            for table, row in places(connection):
                altered = row.body[:-1] + bytes([row.body[-1] ^ 1])
                statement = update(table).where(*same(table, row)).values(body=altered)
                connection.execute(statement)
                [now] = connection.execute(select(table).where(*same(table, row)))
                found.append(opens(connection, keyring, table, now))
            return found

        assert await database_behind(backend).write(alter) == [False] * 10


async def test_a_user_key_does_not_open_for_another_user(url: URL) -> None:
    def swap(connection: Connection) -> None:
        wrapped = dict(connection.execute(select(user_keys.c.owner, user_keys.c.wrapped)).all())
        for owner, other in (("ann", "bob"), ("bob", "ann")):
            statement = update(user_keys).where(user_keys.c.owner == owner)
            connection.execute(statement.values(wrapped=wrapped[other]))

    async with open_sql(url, open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await fill(backend, ANN)
        await fill(backend, BOB)
        await database_behind(backend).write(swap)
        keyring_of(backend).forget()
        for scope in (ANN, BOB):
            with pytest.raises(Unreadable):
                await backend.store.turn(scope, "1")


def keyring_of(backend: Backend) -> Keyring:
    database: SealedDatabase = backend.store._database  # type: ignore[attr-defined] # SQL's
    return database.keyring
