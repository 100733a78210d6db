"""Turns: kept once, listed by when they were recorded."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, insert, literal_column, select
from sqlalchemy.dialects import postgresql, sqlite

from memweaver.adapters.sql import lanes, scoped
from memweaver.adapters.sql.erasing import erase, revive
from memweaver.adapters.sql.errors import DRIVERS, of_the_queue
from memweaver.adapters.sql.house_schema import events
from memweaver.adapters.sql.jobs import Left
from memweaver.adapters.sql.keyring import Keyring, UserKey
from memweaver.adapters.sql.prepared import SQLITE, Prepared
from memweaver.adapters.sql.rows import (
    Values,
    micros,
    plain,
    turn_from_row,
    turn_to_body,
    turn_to_row,
)
from memweaver.adapters.sql.schema import turns, windows
from memweaver.adapters.sql.sealed import body_of, with_body
from memweaver.adapters.sql.telling import tell
from memweaver.adapters.sql.users import Head, begun, current_key, locked
from memweaver.domain.conversation import Turn
from memweaver.domain.event import Event, EventKind
from memweaver.domain.job import Job
from memweaver.domain.scope import Scope, checked_name
from memweaver.domain.search import Kind, Ref
from memweaver.errors import Conflict, NotFound
from memweaver.ports.store import Page

ONE = Prepared(scoped.reading(turns).where(turns.c.id == scoped.given("id")))
NAMED = scoped.reading(turns).where(turns.c.id.in_(scoped.several("ids")))
AS_RECORDED = scoped.reading(turns, turns.c.id, turns.c.recorded_at).where(
    turns.c.id.in_(scoped.several("ids"))
)
KEEP_NEW = Prepared(sqlite.insert(turns).on_conflict_do_nothing(index_elements=turns.primary_key))
KEPT = (
    postgresql.insert(turns)
    .values({column.name: scoped.given(f"new_{column.name}") for column in turns.c})
    .on_conflict_do_nothing(index_elements=turns.primary_key)
    .returning(turns.c.owner, turns.c.ai, turns.c.id, turns.c.recorded_at)
    .cte("kept")
)
KEEP_AND_TELL = insert(events).from_select(
    ["owner", "ai", "kind", "id", "at"],
    select(
        KEPT.c.owner,
        KEPT.c.ai,
        literal_column(f"'{EventKind.TURN_RECORDED}'"),
        KEPT.c.id,
        KEPT.c.recorded_at,
    ),
)


def record(
    connection: Connection, keyring: Keyring, given: Sequence[Turn], left: Left | None
) -> Sequence[Turn]:
    theirs = defaultdict[str, list[Turn]](list)
    for turn in given:
        theirs[turn.scope.user].append(turn)
    kept: dict[tuple[str, str], Turn] = {}
    for owner in sorted(theirs):  # so that two writers never wait for each other
        head = begun(connection, keyring, owner, reserved=len(theirs[owner]))
        for turn in record_theirs(connection, keyring, head, theirs[owner], left):
            kept[owner, turn.id] = turn
    return [kept[turn.scope.user, turn.id] for turn in given]


def record_theirs(
    connection: Connection,
    keyring: Keyring,
    head: Head,
    given: Sequence[Turn],
    left: Left | None,
) -> Iterator[Turn]:
    fresh: list[Turn] = []
    for turn in given:
        checked_name("id", turn.id)
        new = kept_new(connection, keyring, head, turn)
        fresh += [turn] if new else []
        yield turn if new else kept_before(connection, keyring, turn)
    head.settle(connection)
    if left is not None and fresh:
        try:
            lanes.enter(connection, fresh, left)
        except DRIVERS as error:
            raise of_the_queue(error) from error


def kept_new(connection: Connection, keyring: Keyring, head: Head, turn: Turn) -> bool:
    """Whether `turn` was kept: not if something is kept under its id already."""
    row = turn_to_row(turn, head.version + 1, head.key)
    sealed = with_body(keyring, head.key, turns, row, turn_to_body(turn))
    if not keep_and_tell(connection, turn, sealed):
        return False
    head.next_version()
    revive(connection, head, [Ref(Kind.TURN, turn.id)])
    return True


def keep_and_tell(connection: Connection, turn: Turn, row: Values) -> bool:
    """Keep `row` and its event; on a server both in one statement, to ask it but once."""
    if connection.dialect.name != SQLITE.name:
        new = {f"new_{name}": value for name, value in row.items()}
        counting = {"preserve_rowcount": True}
        kept = connection.execute(KEEP_AND_TELL, new, execution_options=counting).rowcount
        return bool(kept)
    kept = KEEP_NEW.changed(connection, row)
    if kept:
        tell(connection, Event(EventKind.TURN_RECORDED, turn.scope, turn.id, turn.recorded_at))
    return bool(kept)


def kept_before(connection: Connection, keyring: Keyring, turn: Turn) -> Turn:
    """The turn that is kept under this id. Raises `Conflict` if it says something else."""
    [row] = ONE(connection, {"user": turn.scope.user, "id": turn.id})
    first = opened(connection, keyring, row)
    if not same(first, turn):
        raise Conflict(f"a different turn is kept under the id {turn.id!r}")
    return first


def same(one: Turn, other: Turn) -> bool:
    return (one.scope, one.session, one.messages, plain(one.metadata)) == (
        other.scope,
        other.session,
        other.messages,
        plain(other.metadata),
    )


def row_of(connection: Connection, scope: Scope, turn_id: str) -> Row[Any]:
    statement = scoped.seen(turns, scope).where(turns.c.id == scoped.known_name(turn_id))
    row = connection.execute(statement, {"user": scope.user}).one_or_none()
    if row is None:
        raise missing(turn_id)
    return row


def missing(turn_id: str) -> NotFound:
    return NotFound(f"there is no turn {turn_id!r}")


def unchanged(connection: Connection, jobs: Sequence[Job]) -> bool:
    """Whether the turns that these jobs of one user are named after are there as recorded."""
    mine = {"user": jobs[0].scope.user}
    rows = scoped.in_pieces(connection, AS_RECORDED, mine, "ids", [job.id for job in jobs])
    return {row.id: row.recorded_at for row in rows} == {
        job.id: micros(job.created_at) for job in jobs
    }


def listed(
    connection: Connection,
    keyring: Keyring,
    scope: Scope,
    *,
    session: str | None,
    before: int | None,
    limit: int,
) -> Page[Turn]:
    key = current_key(connection, keyring, scope.user)
    if key is None:
        return Page([], None)
    rows, following = scoped.page(
        connection,
        of_session(key, scope, session),
        turns.c.version,
        before=before,
        limit=limit,
        owner=scope.user,
    )
    return Page([opened(connection, keyring, row) for row in rows], following)


def of_session(key: UserKey, scope: Scope, session: str | None) -> Select[Any]:
    """The turns of one session, or of all."""
    mine = scoped.seen(turns, scope)
    return mine if session is None else mine.where(turns.c.session == key.blind("session", session))


def erase_turn(connection: Connection, keyring: Keyring, scope: Scope, turn_id: str) -> None:
    head = locked(connection, keyring, scope.user)
    if head is None:
        raise NotFound(f"there is no turn {turn_id!r}")
    erase_rows(connection, head, [row_of(connection, scope, turn_id)])


def erase_some(
    connection: Connection, head: Head, scope: Scope, session: str | None, limit: int
) -> int:
    """Remove up to `limit` turns of a session, or of a scope; answer how many."""
    oldest = of_session(head.key, scope, session).order_by(turns.c.version).limit(limit)
    rows = connection.execute(oldest, {"user": head.owner}).all()
    erase_rows(connection, head, rows)
    return len(rows)


def erase_rows(connection: Connection, head: Head, rows: Sequence[Row[Any]]) -> None:
    for row in rows:
        lanes.leave(connection, head.owner, row.id)
        erase(connection, head, turns, [row], [Ref(Kind.TURN, row.id)])
    connection.execute(scoped.removing(windows), {"user": head.owner})


def opened(connection: Connection | None, keyring: Keyring, row: Row[Any]) -> Turn:
    return turn_from_row(row, body_of(connection, keyring, turns, row))
