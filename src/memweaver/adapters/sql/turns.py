"""Turns: kept once, listed by when they were recorded."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.erasing import erase, revive
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import plain, turn_from_row, turn_to_body, turn_to_row
from memweaver.adapters.sql.schema import turns
from memweaver.adapters.sql.sealed import body_of, with_body
from memweaver.adapters.sql.users import Head, begun, current_key, locked
from memweaver.domain.conversation import Turn
from memweaver.domain.scope import Scope, checked_name
from memweaver.domain.search import Kind, Ref
from memweaver.errors import Conflict, NotFound
from memweaver.ports.store import Page

ONE = Prepared(scoped.reading(turns).where(turns.c.id == scoped.given("id")))
NAMED = scoped.reading(turns).where(turns.c.id.in_(scoped.several("ids")))
KEEP = Prepared(insert(turns))


def record(connection: Connection, keyring: Keyring, given: Sequence[Turn]) -> Sequence[Turn]:
    kept: dict[tuple[str, str], Turn] = {}
    for owner, theirs in by_owner(given):
        head = begun(connection, keyring, owner, reserved=len(theirs))
        for turn in record_theirs(connection, keyring, head, theirs):
            kept[owner, turn.id] = turn
    return [kept[turn.scope.user, turn.id] for turn in given]


def by_owner(given: Sequence[Turn]) -> Iterator[tuple[str, list[Turn]]]:
    """In the order of names, so that two writers never wait for each other."""
    ordered = sorted(given, key=lambda turn: turn.scope.user)
    for owner, theirs in groupby(ordered, key=lambda turn: turn.scope.user):
        yield owner, list(theirs)


def record_theirs(
    connection: Connection, keyring: Keyring, head: Head, given: Sequence[Turn]
) -> Sequence[Turn]:
    ids = [checked_name("id", turn.id) for turn in given]
    kept = named(connection, keyring, head.owner, ids)
    new: list[Turn] = []
    for turn in given:
        if (first := kept.setdefault(turn.id, turn)) is turn:
            new.append(turn)
        elif not same(first, turn):
            raise Conflict(f"a different turn is kept under the id {turn.id!r}")
    if new:
        keep(connection, keyring, head, new)
    head.settle(connection)
    return list(kept.values())


def keep(connection: Connection, keyring: Keyring, head: Head, new: Sequence[Turn]) -> None:
    rows = []
    for turn in new:
        row = turn_to_row(turn, head.next_version(), head.key)
        rows.append(with_body(keyring, head.key, turns, row, turn_to_body(turn)))
    KEEP.many(connection, rows)
    revive(connection, head, [Ref(Kind.TURN, turn.id) for turn in new])


def named(
    connection: Connection, keyring: Keyring, owner: str, ids: Sequence[str]
) -> dict[str, Turn]:
    """Turns by id; the usual one alone is looked up by a statement that costs half as much."""
    if len(ids) == 1:
        found: Iterable[Row[Any]] = ONE(connection, {"user": owner, "id": ids[0]})
    else:
        found = scoped.in_pieces(connection, NAMED, {"user": owner}, "ids", ids)
    return {row.id: opened(connection, keyring, row) for row in found}


def same(one: Turn, other: Turn) -> bool:
    return (one.scope, one.session, one.messages, plain(one.metadata)) == (
        other.scope,
        other.session,
        other.messages,
        plain(other.metadata),
    )


def turn(connection: Connection, keyring: Keyring, scope: Scope, turn_id: str) -> Turn:
    return opened(connection, keyring, row_of(connection, scope, turn_id))


def row_of(connection: Connection, scope: Scope, turn_id: str) -> Row[Any]:
    statement = scoped.seen(turns, scope).where(turns.c.id == scoped.known_name(turn_id))
    row = connection.execute(statement, {"user": scope.user}).one_or_none()
    if row is None:
        raise NotFound(f"there is no turn {turn_id!r}")
    return row


def listed(
    connection: Connection,
    keyring: Keyring,
    scope: Scope,
    *,
    session: str | None,
    before: int | None,
    limit: int,
) -> Page[Turn]:
    statement = scoped.seen(turns, scope)
    if session is not None:
        key = current_key(connection, keyring, scope.user)
        if key is None:
            return Page([], None)
        statement = statement.where(turns.c.session == key.blind("session", session))
    rows, following = scoped.page(
        connection, statement, turns.c.version, before=before, limit=limit, owner=scope.user
    )
    return Page([opened(connection, keyring, row) for row in rows], following)


def erase_turn(connection: Connection, keyring: Keyring, scope: Scope, turn_id: str) -> None:
    head = locked(connection, keyring, scope.user)
    if head is None:
        raise NotFound(f"there is no turn {turn_id!r}")
    row = row_of(connection, scope, turn_id)
    erase(connection, head, turns, [row], [Ref(Kind.TURN, turn_id)])


def opened(connection: Connection, keyring: Keyring, row: Row[Any]) -> Turn:
    return turn_from_row(row, body_of(connection, keyring, turns, row))
