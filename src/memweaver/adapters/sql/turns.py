"""Turns: kept once, listed by when they were recorded."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Row
from sqlalchemy.dialects import postgresql, sqlite

from memweaver.adapters.sql import lanes, scoped
from memweaver.adapters.sql.erasing import erase, revive
from memweaver.adapters.sql.errors import DRIVERS, of_the_queue
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import micros, plain, turn_from_row, turn_to_body, turn_to_row
from memweaver.adapters.sql.schema import turns, windows
from memweaver.adapters.sql.sealed import body_of, with_body
from memweaver.adapters.sql.users import Head, begun, current_key, locked
from memweaver.domain.conversation import Turn
from memweaver.domain.job import Job, Priority
from memweaver.domain.scope import Scope, checked_name
from memweaver.domain.search import Kind, Ref
from memweaver.errors import Conflict, NotFound
from memweaver.ports.store import Page

ONE = Prepared(scoped.reading(turns).where(turns.c.id == scoped.given("id")))
NAMED = scoped.reading(turns).where(turns.c.id.in_(scoped.several("ids")))
AS_RECORDED = scoped.reading(turns, turns.c.id, turns.c.recorded_at).where(
    turns.c.id.in_(scoped.several("ids"))
)
KEEP_NEW = Prepared(
    sqlite.insert(turns).on_conflict_do_nothing(index_elements=turns.primary_key),
    elsewhere=postgresql.insert(turns).on_conflict_do_nothing(index_elements=turns.primary_key),
)


def record(
    connection: Connection, keyring: Keyring, given: Sequence[Turn], priority: Priority | None
) -> Sequence[Turn]:
    theirs = defaultdict[str, list[Turn]](list)
    for turn in given:
        theirs[turn.scope.user].append(turn)
    kept: dict[tuple[str, str], Turn] = {}
    for owner in sorted(theirs):  # so that two writers never wait for each other
        head = begun(connection, keyring, owner, reserved=len(theirs[owner]))
        for turn in record_theirs(connection, keyring, head, theirs[owner], priority):
            kept[owner, turn.id] = turn
    return [kept[turn.scope.user, turn.id] for turn in given]


def record_theirs(
    connection: Connection,
    keyring: Keyring,
    head: Head,
    given: Sequence[Turn],
    priority: Priority | None,
) -> Iterator[Turn]:
    fresh: list[Turn] = []
    for turn in given:
        checked_name("id", turn.id)
        new = kept_new(connection, keyring, head, turn)
        fresh += [turn] if new else []
        yield turn if new else kept_before(connection, keyring, turn)
    head.settle(connection)
    if priority is not None and fresh:
        try:
            lanes.enter(connection, fresh, priority)
        except DRIVERS as error:
            raise of_the_queue(error) from error


def kept_new(connection: Connection, keyring: Keyring, head: Head, turn: Turn) -> bool:
    """Whether `turn` was kept: not if something is kept under its id already."""
    row = turn_to_row(turn, head.version + 1, head.key)
    sealed = with_body(keyring, head.key, turns, row, turn_to_body(turn))
    if not KEEP_NEW.changed(connection, sealed):
        return False
    head.next_version()
    revive(connection, head, [Ref(Kind.TURN, turn.id)])
    return True


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


def turn(connection: Connection, keyring: Keyring, scope: Scope, turn_id: str) -> Turn:
    return opened(connection, keyring, row_of(connection, scope, turn_id))


def row_of(connection: Connection, scope: Scope, turn_id: str) -> Row[Any]:
    statement = scoped.seen(turns, scope).where(turns.c.id == scoped.known_name(turn_id))
    row = connection.execute(statement, {"user": scope.user}).one_or_none()
    if row is None:
        raise NotFound(f"there is no turn {turn_id!r}")
    return row


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
    lanes.leave(connection, head.owner, turn_id)
    erase(connection, head, turns, [row], [Ref(Kind.TURN, turn_id)])
    connection.execute(scoped.removing(windows), {"user": head.owner})


def opened(connection: Connection, keyring: Keyring, row: Row[Any]) -> Turn:
    return turn_from_row(row, body_of(connection, keyring, turns, row))
