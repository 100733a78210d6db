"""Sealing all rows of a user under a new key, some at a time, while others read and write."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, Update, func

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.house_schema import accounts, replies, secrets, sessions, webhooks
from memweaver.adapters.sql.job_schema import staged
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.rows import Values
from memweaver.adapters.sql.schema import (
    ais,
    memories,
    segments,
    turns,
    user_keys,
    users,
    vectors,
    windows,
)
from memweaver.adapters.sql.sealed import body_of, place
from memweaver.adapters.sql.users import Head, locked
from memweaver.errors import NotFound
from memweaver.ports.keys import Rotation

BOUND: Mapping[Table, Column[Any]] = {
    turns: turns.c.version,
    memories: memories.c.version,
    vectors: vectors.c.version,
    segments: segments.c.after,
    ais: ais.c.id,
    staged: staged.c.batch,
    windows: windows.c.session,
    accounts: accounts.c.id,
    secrets: secrets.c.version,
    sessions: sessions.c.id,
    replies: replies.c.id,
    webhooks: webhooks.c.id,
}
"""The tables with a sealed body, and by what their rows are gone through."""

SOME: Mapping[Table, int] = {
    turns: 200,
    memories: 200,
    vectors: 200,
    segments: 1,
    ais: 200,
    staged: 20,
    windows: 20,
    accounts: 200,
    secrets: 200,
    sessions: 200,
    replies: 20,
    webhooks: 200,
}
"""Rows sealed anew in one transaction."""


def names_in(table: Table) -> list[Column[Any]]:
    """What tells apart the rows of one user."""
    return [column for column in table.primary_key if column.name != "owner"]


RENEW: Mapping[Table, Update] = {
    table: scoped.updating(table)
    .where(*(column == scoped.given(f"of_{column.name}") for column in names_in(table)))
    .values(key_id=scoped.given("new_key"), body=scoped.given("new_body"))
    for table in BOUND
}


@dataclass(slots=True)
class Resealing:
    """How far it is. Rows written meanwhile are under the new key and not counted."""

    done: int
    total: int

    @property
    def rotation(self) -> Rotation:
        return Rotation(self.done, self.total)

    def advanced(self, rows: int) -> Rotation:
        self.done = min(self.done + rows, self.total)
        return self.rotation


def begin(connection: Connection, keyring: Keyring, user: str) -> Resealing:
    """Give the user a new key, unless rows under an older one show that this was done before."""
    head = locked_or_gone(connection, keyring, user)
    if count(connection, user_keys, head, older=True) == 0:
        key = keyring.issue(connection, user, search=head.key.search)
        connection.execute(scoped.updating(users).values(key_id=key.id), {"user": user})
        head.key = key
    total = sum(count(connection, table, head, older=False) for table in BOUND)
    left = sum(count(connection, table, head, older=True) for table in BOUND)
    return Resealing(total - left, total)


def reseal_some(
    connection: Connection, keyring: Keyring, user: str, table: Table, last: object
) -> tuple[int, object]:
    """Seal the next rows after `last` under the current key; how many, and the last of them."""
    head = locked_or_gone(connection, keyring, user)
    position = BOUND[table]
    statement = scoped.reading(table).where(table.c.key_id != head.key.id)
    if last is not None:
        statement = statement.where(position > last)
    some = statement.order_by(position).limit(SOME[table])
    rows = connection.execute(some, {"user": user}).all()
    if rows:
        anew = [resealed(connection, keyring, head, table, row) for row in rows]
        connection.execute(RENEW[table], anew)
    return len(rows), getattr(rows[-1], position.name) if rows else None


def resealed(
    connection: Connection, keyring: Keyring, head: Head, table: Table, row: Row[Any]
) -> Values:
    """What `RENEW` needs to seal one row anew."""
    clear = body_of(connection, keyring, table, row)
    sealed = keyring.seal(head.key, clear, place(table, row))
    names = {f"of_{column.name}": getattr(row, column.name) for column in names_in(table)}
    return {"user": head.owner, "new_key": head.key.id, "new_body": sealed, **names}


def finish(connection: Connection, keyring: Keyring, user: str) -> bool:
    """Destroy the older keys, if nothing is sealed under them any more."""
    head = locked_or_gone(connection, keyring, user)
    if any(count(connection, table, head, older=True) for table in BOUND):
        return False
    older = scoped.removing(user_keys).where(user_keys.c.key_id != head.key.id)
    connection.execute(older, {"user": user})
    return True


def count(connection: Connection, table: Table, head: Head, *, older: bool) -> int:
    """Rows of the user, all or those under an older key."""
    statement = scoped.reading(table, func.count()).select_from(table)
    if older:
        statement = statement.where(table.c.key_id != head.key.id)
    return int(connection.execute(statement, {"user": head.owner}).scalar_one())


def locked_or_gone(connection: Connection, keyring: Keyring, user: str) -> Head:
    head = locked(connection, keyring, user)
    if head is None:
        raise NotFound(f"there is no user {user!r}")
    return head
