"""Where each user's data stands: epoch, version counter, current key."""

import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row
from sqlalchemy.dialects import postgresql, sqlite

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.keyring import Keyring, UserKey
from memweaver.adapters.sql.schema import users
from memweaver.errors import BackendUnavailable

READ = scoped.reading(users)
LOCK = READ.with_for_update()
ADVANCE = scoped.updating(users).values(version=scoped.given("to"))
ADVANCE_ERASING = ADVANCE.values(erased=scoped.given("to"))

BEGIN = {
    "sqlite": sqlite.insert(users).on_conflict_do_nothing(),
    "postgresql": postgresql.insert(users).on_conflict_do_nothing(),
}


@dataclass(slots=True)
class Head:
    """The top of a user's data inside a transaction that holds it locked.

    Each row written takes the next version; `settle` makes the count so far the user's.
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
            statement = ADVANCE_ERASING if erasing else ADVANCE
            connection.execute(statement, {"user": self.owner, "to": self.version})
            self.settled = self.version


def locked(connection: Connection, keyring: Keyring, owner: str) -> Head | None:
    """The user's head, held until the transaction ends: versions are committed in their order."""
    row = connection.execute(LOCK, {"user": owner}).one_or_none()
    return None if row is None else _head(connection, keyring, row)


def begun(connection: Connection, keyring: Keyring, owner: str) -> Head:
    """The same; a user who is not there yet begins with a new epoch and a new key."""
    head = locked(connection, keyring, owner)
    if head is None:
        _begin(connection, keyring, owner)
        head = locked(connection, keyring, owner)
    if head is None:
        raise BackendUnavailable("the user was destroyed at this moment: try again")
    return head


def current_key(connection: Connection, keyring: Keyring, owner: str) -> UserKey | None:
    """The key a reader makes blind values with."""
    row = connection.execute(READ, {"user": owner}).one_or_none()
    return None if row is None else keyring.key(connection, owner, row.key_id)


def _begin(connection: Connection, keyring: Keyring, owner: str) -> None:
    key = keyring.fresh(owner)
    epoch = secrets.token_hex(8)
    row = {"owner": owner, "epoch": epoch, "version": 0, "erased": 0, "key_id": key.id}
    if connection.execute(BEGIN[connection.dialect.name], row).rowcount:
        keyring.store(connection, key)


def _head(connection: Connection, keyring: Keyring, row: Row[Any]) -> Head:
    key = keyring.key(connection, row.owner, row.key_id)
    return Head(row.owner, row.epoch, row.version, row.erased, key, row.version)
