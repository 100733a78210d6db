"""Where each user's data stands: epoch, version counter, current key."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.keyring import Keyring, UserKey
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.schema import users
from memweaver.errors import BackendUnavailable

ATTEMPTS = 5
"""How often somebody may be begun by another and destroyed before it is our turn."""

READ = scoped.reading(users)
LOCK = READ.with_for_update()
SETTLE = scoped.updating(users).values(version=scoped.given("to"))
SETTLE_ERASING = SETTLE.values(erased=scoped.given("to"))
RESERVE = Prepared(
    scoped.updating(users)
    .values(version=users.c.version + scoped.given("more"))
    .returning(*users.c)
)

BEGIN = Prepared(
    sqlite.insert(users).on_conflict_do_nothing(),
    elsewhere=postgresql.insert(users).on_conflict_do_nothing(),
)


@dataclass(slots=True)
class Head:
    """The top of a user's data inside a transaction that holds it locked.

    Each row written takes the next version; `settle` makes the count so far the user's, unless
    as many were reserved as needed.
    """

    owner: str
    epoch: str
    version: int
    erased: int
    key: UserKey
    settled: int

    def next_version(self) -> int:
        self.version += 1
        return self.version

    def settle(self, connection: Connection, *, erasing: bool = False) -> None:
        if self.version != self.settled:
            statement = SETTLE_ERASING if erasing else SETTLE
            connection.execute(statement, {"user": self.owner, "to": self.version})
            self.settled = self.version


def locked(connection: Connection, keyring: Keyring, owner: str) -> Head | None:
    """The user's head, held until the transaction ends: versions are committed in their order."""
    row = connection.execute(LOCK, {"user": owner}).one_or_none()
    return None if row is None else _head(connection, keyring, row, reserved=0)


def begun(connection: Connection, keyring: Keyring, owner: str, *, reserved: int) -> Head:
    """The same, with some versions reserved; who is not there yet begins with a new key."""
    for _ in range(ATTEMPTS):
        head = _reserved(connection, keyring, owner, reserved)
        if head is not None:
            return head
        _begin(connection, keyring, owner)
    raise BackendUnavailable("the user was destroyed at this moment: try again")


def current_key(connection: Connection, keyring: Keyring, owner: str) -> UserKey | None:
    """The key a reader makes blind values with."""
    row = connection.execute(READ, {"user": owner}).one_or_none()
    return None if row is None else keyring.key(connection, owner, row.key_id)


def _begin(connection: Connection, keyring: Keyring, owner: str) -> None:
    key = keyring.fresh(owner)
    epoch = secrets.token_hex(8)
    row = {"owner": owner, "epoch": epoch, "version": 0, "erased": 0, "key_id": key.id}
    if BEGIN.changed(connection, row):
        keyring.store(connection, key)


def _reserved(connection: Connection, keyring: Keyring, owner: str, more: int) -> Head | None:
    """One statement that locks the user and counts what is about to be written."""
    for row in RESERVE(connection, {"user": owner, "more": more}):
        return _head(connection, keyring, row, reserved=more)
    return None


def _head(connection: Connection, keyring: Keyring, row: Iterable[Any], *, reserved: int) -> Head:
    owner, epoch, version, erased, key_id = row
    key = keyring.key(connection, owner, key_id)
    return Head(owner, epoch, version - reserved, erased, key, settled=version)
