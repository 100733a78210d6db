"""The user keys: made here, wrapped by the master key, opened when a row needs them."""

import secrets
from dataclasses import dataclass, field
from functools import lru_cache
from hmac import digest
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.schema import meta, user_keys
from memweaver.errors import ConfigurationError, Unreadable
from memweaver.ports.cipher import Cipher, Context
from memweaver.ports.keys import MasterKey, MasterKeys

CHECK = "master_key_check"
"""A sealed value of no meaning: it opens if, and only if, the master key is this database's."""

MOST_KEPT = 10_000
"""User keys held open at a time; beyond, all are let go and opened again as needed."""

BLIND_BYTES = 16
FOR_INDEXES = b"a secret for indexes"
"""Holds no zero byte, so that it is never what a blind column is made of."""

ONE_KEY = scoped.reading(user_keys).where(user_keys.c.key_id == scoped.given("key_id"))
THE_CHECK = select(meta).where(meta.c.name == CHECK)
KEEP_CHECK = Prepared(
    sqlite.insert(meta).on_conflict_do_nothing(),
    elsewhere=postgresql.insert(meta).on_conflict_do_nothing(),
)


@dataclass(frozen=True, slots=True)
class UserKey:
    """One user's key. The search key, which makes blind columns, outlives the data key."""

    id: int
    owner: str
    data: bytes = field(repr=False)
    search: bytes = field(repr=False)

    def blind(self, column: str, value: str) -> bytes:
        """What stands for `value` in a blind column: equal for equal values of this user."""
        return _blind(self.search, f"{column}\0{value}")

    def fingerprint(self, words: str) -> bytes:
        """The same for the words of a memory, which hardly ever come again soon."""
        return _hashed(self.search, f"fingerprint\0{words}")

    @property
    def for_indexes(self) -> bytes:
        """A secret that an index may use, from which the search key cannot be told."""
        return digest(self.search, FOR_INDEXES, "sha256")


@lru_cache(maxsize=4096)
def _blind(search: bytes, text: str) -> bytes:
    """Kept for a while: most records are of a session that was written to just before."""
    return _hashed(search, text)


def _hashed(search: bytes, text: str) -> bytes:
    return digest(search, text.encode("utf-8", "surrogatepass"), "sha256")[:BLIND_BYTES]


class Keyring:
    """Opens user keys and seals with them. Safe in any thread."""

    def __init__(self, cipher: Cipher, masters: MasterKeys) -> None:
        self._cipher = cipher
        self._masters = masters
        self._opened: dict[int, UserKey] = {}
        self._owners: set[str] = set()

    def holds(self, owner: str) -> bool:
        """Whether a key of theirs is open already, and no master key asked for it."""
        return owner in self._owners

    def key(self, connection: Connection | None, owner: str, key_id: int) -> UserKey:
        """Raises `Unreadable` if that key is gone, or without a connection if it is not open."""
        known = self._opened.get(key_id)
        if known is None or known.owner != owner:
            if connection is None:
                raise Unreadable(f"the key that sealed this of user {owner!r} is not open")
            row = connection.execute(ONE_KEY, {"user": owner, "key_id": key_id}).one_or_none()
            if row is None:
                raise Unreadable(f"the key that sealed this of user {owner!r} is gone")
            known = self._unwrapped(row)
            self._keep(known)
        return known

    def issue(self, connection: Connection, owner: str, *, search: bytes | None = None) -> UserKey:
        """A new key for a user who is there already, wrapped and kept."""
        key = self.fresh(owner, search=search)
        self.store(connection, key)
        return key

    def fresh(self, owner: str, *, search: bytes | None = None) -> UserKey:
        return UserKey(
            id=secrets.randbits(62),
            owner=owner,
            data=self._cipher.new_key(),
            search=search or secrets.token_bytes(32),
        )

    def store(self, connection: Connection, key: UserKey) -> None:
        master = self.master(connection)
        row = {
            "key_id": key.id,
            "owner": key.owner,
            "master_version": master.version,
            "wrapped": self.wrapped(key, master),
        }
        connection.execute(insert(user_keys), row)
        self._keep(key)

    def master(self, connection: Connection) -> MasterKey:
        """The master key to wrap under. Holds off a rotation of it until this transaction ends.

        Without that, a key wrapped under the old version could come in between the end of a
        rotation and the destruction of that version.
        """
        check = connection.execute(THE_CHECK.with_for_update(read=True)).one()
        current = self._masters.current()
        if current.version < check.master_version:
            return self._masters.version(check.master_version)
        return current

    def wrapped(self, key: UserKey, master: MasterKey) -> bytes:
        clear = len(key.data).to_bytes(2) + key.data + key.search
        return self._cipher.seal(master.secret, clear, _place(key.owner, key.id, master.version))

    def rewrapped(self, row: Row[Any], master: MasterKey) -> bytes:
        return self.wrapped(self._unwrapped(row), master)

    def seal(self, key: UserKey, clear: bytes, place: Context) -> bytes:
        return self._cipher.seal(key.data, clear, place)

    def open(self, key: UserKey, sealed: bytes, place: Context) -> bytes:
        return self._cipher.open(key.data, sealed, place)

    def forget(self, owner: str | None = None) -> None:
        """Hold no key of `owner`, or of anybody, open any longer."""
        kept = {} if owner is None else self._opened
        self._opened = {i: key for i, key in kept.items() if key.owner != owner}
        self._owners = {key.owner for key in self._opened.values()}

    def prove(self, connection: Connection) -> None:
        """Raises `ConfigurationError` if the master key is not the one this database knows."""
        check = connection.execute(THE_CHECK).one_or_none()
        if check is None:
            KEEP_CHECK.changed(connection, self._check_row(self._masters.current()))
            check = connection.execute(THE_CHECK).one()  # another process may have been first
        place = _place("", 0, check.master_version)
        try:
            secret = self._masters.version(check.master_version).secret
            self._cipher.open(secret, check.value, place)
        except Unreadable as error:
            raise ConfigurationError(
                "the master key does not open this database: give it the key it was made with "
                f"(version {check.master_version}), or choose an empty data folder"
            ) from error

    def renew_check(self, connection: Connection) -> None:
        """Seal the check under the current master key: from now on nobody wraps under an older.

        Raises:
            Unreadable: another process has moved on to a version that is not known here.
        """
        check = connection.execute(THE_CHECK.with_for_update()).one()
        master = self._masters.current()
        if master.version < check.master_version:
            master = self._masters.version(check.master_version)
        connection.execute(update(meta).where(meta.c.name == CHECK), self._check_row(master))

    def _check_row(self, master: MasterKey) -> dict[str, object]:
        sealed = self._cipher.seal(master.secret, b"memweaver", _place("", 0, master.version))
        return {"name": CHECK, "master_version": master.version, "value": sealed}

    def _unwrapped(self, row: Row[Any]) -> UserKey:
        master = self._masters.version(row.master_version)
        place = _place(row.owner, row.key_id, row.master_version)
        clear = self._cipher.open(master.secret, row.wrapped, place)
        end = 2 + int.from_bytes(clear[:2])
        return UserKey(row.key_id, row.owner, clear[2:end], clear[end:])

    def _keep(self, key: UserKey) -> None:
        if len(self._opened) >= MOST_KEPT:
            self._opened, self._owners = {}, set()
        self._opened[key.id] = key
        self._owners.add(key.owner)


def _place(owner: str, key_id: int, master_version: int) -> Context:
    return Context(owner, "user_keys", "wrapped", str(key_id), master_version)
