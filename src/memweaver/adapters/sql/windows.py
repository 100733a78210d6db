"""The `Windows` port over SQL."""

from types import SimpleNamespace

from sqlalchemy import Connection, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.keyring import Keyring, UserKey
from memweaver.adapters.sql.rows import (
    micros,
    packed,
    turn_from_row,
    turn_to_body,
    unpacked,
    written,
)
from memweaver.adapters.sql.schema import turns, windows
from memweaver.adapters.sql.sealed import SealedDatabase, body_of, with_body
from memweaver.adapters.sql.users import current_key, locked
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.errors import Unreadable
from memweaver.ports.windows import Windows

ONE = windows.c.session == scoped.given("of_session")
READ = scoped.reading(windows).where(ONE)
REMOVE = scoped.removing(windows).where(ONE)
SAID = scoped.reading(turns, turns.c.id).where(turns.c.id.in_(scoped.several("ids")))


class SqlWindows(Windows):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def window(self, scope: Scope, session: str) -> Window | None:
        """One that cannot be opened is not at hand: it can be made again."""
        try:
            return await self._database.read(lambda c, keys: window(c, keys, scope, session))
        except Unreadable:
            return None

    async def keep(self, scope: Scope, session: str, window: Window) -> None:
        await self._database.write(lambda c, keys: keep(c, keys, scope, session, window))

    async def forget(self, user: str) -> None:
        await self._database.plain.write(
            lambda c: c.execute(scoped.removing(windows), {"user": user})
        )


def window(connection: Connection, keyring: Keyring, scope: Scope, session: str) -> Window | None:
    key = current_key(connection, keyring, scope.user)
    if key is None:
        return None
    mine = {"user": scope.user, "of_session": blind(key, scope, session)}
    row = connection.execute(READ, mine).one_or_none()
    return (
        None if row is None else from_body(scope.user, body_of(connection, keyring, windows, row))
    )


def keep(
    connection: Connection, keyring: Keyring, scope: Scope, session: str, window: Window
) -> None:
    """Unless a turn of it is gone: somebody erased it since the window was made."""
    head = locked(connection, keyring, scope.user)
    ids = {turn.id for turn in window.turns} | ({window.upto} if window.upto else set())
    there = scoped.in_pieces(connection, SAID, {"user": scope.user}, "ids", sorted(ids))
    if head is None or {row.id for row in there} != ids:
        return
    name = blind(head.key, scope, session)
    connection.execute(REMOVE, {"user": scope.user, "of_session": name})
    row = {"owner": scope.user, "session": name}
    connection.execute(insert(windows), with_body(keyring, head.key, windows, row, to_body(window)))


def blind(key: UserKey, scope: Scope, session: str) -> bytes:
    return key.blind("window", written([scope.ai, session]))


def to_body(window: Window) -> bytes:
    turns = [
        {
            "id": turn.id,
            "ai": turn.scope.ai,
            "at": micros(turn.at),
            "recorded_at": micros(turn.recorded_at),
            "said": unpacked(turn_to_body(turn)),
        }
        for turn in window.turns
    ]
    told = {"summary": window.summary, "upto": window.upto, "seen": window.seen}
    return packed({"turns": turns, **told})


def from_body(owner: str, body: bytes) -> Window:
    kept = unpacked(body)
    turns = (
        turn_from_row(SimpleNamespace(owner=owner, **turn), packed(turn["said"]))
        for turn in kept["turns"]
    )
    return Window(tuple(turns), kept["summary"], kept["upto"], kept["seen"])
