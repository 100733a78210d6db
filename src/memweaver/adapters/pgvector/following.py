"""Follows the store: takes in what changed, in one transaction with how far it came."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import ARRAY

from memweaver.adapters.pgvector.rows import Row
from memweaver.adapters.pgvector.schema import records, users
from memweaver.domain.search import Ref


@dataclass(frozen=True, slots=True)
class State:
    """How far the index followed a user, by whose reading; and sums over the user's rows."""

    epoch: str = ""
    version: int = 0
    made_by: str = ""
    rows: int = 0
    words: int = 0
    pairs: int = 0


NOTHING = State()
"""The state of who is not in the index."""

COLUMNS = tuple(users.c[name] for name in State.__slots__)
READ = select(*COLUMNS).where(users.c.owner == bindparam("user"))
BEGIN = postgresql.insert(users).on_conflict_do_nothing()
SAVE = update(users).where(users.c.owner == bindparam("user"))
MINE = records.c.owner == bindparam("user")
THREAD = (records.c.ai, records.c.session)
SEATS = (
    select(*THREAD, func.max(records.c.seat) + 1)
    .where(MINE, records.c.session == func.any(bindparam("sessions", type_=ARRAY(BigInteger))))
    .group_by(*THREAD)
)
EMBED = (
    update(records)
    .where(
        MINE,
        records.c.kind == bindparam("of_kind"),
        records.c.id == bindparam("of_id"),
        records.c.revision == bindparam("of_revision"),
        records.c.ordinal == bindparam("of_ordinal"),
    )
    .values(embedded_by=bindparam("embedded_by"), embedding=bindparam("embedding"))
)


@dataclass(frozen=True, slots=True)
class Step:
    """From one state of a user to the next.

    `rows` are new or told again; rows of `gone` must go; `embeddings` are for rows from before.
    """

    before: State
    epoch: str
    version: int
    made_by: str
    rows: Sequence[Row]
    gone: Sequence[Ref]
    embeddings: Sequence[Row]

    @property
    def afresh(self) -> bool:
        return (self.before.epoch, self.before.made_by) != (self.epoch, self.made_by)


def read_state(connection: Connection, user: str) -> State:
    row = connection.execute(READ, {"user": user}).one_or_none()
    return NOTHING if row is None else State(*row)


def take(connection: Connection, user: str, step: Step) -> bool:
    """Make the step, unless somebody else made one meanwhile: then `False`."""
    if step.before == NOTHING:
        connection.execute(BEGIN, {"owner": user, **_columns(NOTHING)})
    held = connection.execute(READ.with_for_update(), {"user": user}).one_or_none()
    if held is None or State(*held) != step.before:
        return False
    sums = Counter[str](rows=step.before.rows, words=step.before.words, pairs=step.before.pairs)
    if step.afresh:
        connection.execute(delete(records).where(MINE), {"user": user})
        sums.clear()
    else:
        _add_up(sums, remove(connection, user, step.gone), -1)
    _add_up(sums, insert_rows(connection, user, step.rows), +1)
    embed(connection, user, step.embeddings)
    totals = (sums[name] for name in ("rows", "words", "pairs"))
    after = State(step.epoch, step.version, step.made_by, *totals)
    connection.execute(SAVE, {"user": user, **_columns(after)})
    return True


def forget(connection: Connection, user: str) -> None:
    """Remove everything of `user`."""
    for table in (records, users):
        connection.execute(delete(table).where(table.c.owner == user))


def remove(connection: Connection, user: str, gone: Sequence[Ref]) -> Sequence[Row]:
    """Remove the rows of records; those who sat behind them move up."""
    if not gone:
        return []
    named = (
        func.unnest(
            bindparam("kinds", [ref.kind.value for ref in gone], ARRAY(Text)),
            bindparam("ids", [ref.id for ref in gone], ARRAY(Text)),
            bindparam("revisions", [ref.revision for ref in gone], ARRAY(Integer)),
        )
        .table_valued("kind", "id", "revision", name="named")
        .render_derived()
    )
    statement = (
        delete(records)
        .where(
            MINE,
            records.c.kind == named.c.kind,
            records.c.id == named.c.id,
            records.c.revision == named.c.revision,
        )
        .returning(records.c.session, records.c.length, records.c.pairs)
    )
    removed = connection.execute(statement, {"user": user}).all()
    move_up(connection, user, {row.session for row in removed if row.session is not None})
    return [{"length": row.length, "pairs": row.pairs} for row in removed]


def move_up(connection: Connection, user: str, sessions: set[int]) -> None:
    if not sessions:
        return
    seat = func.row_number().over(partition_by=THREAD, order_by=records.c.seat) - 1
    seated = (
        select(records.c.number, seat.label("seat"))
        .where(MINE, records.c.session.in_(sessions))
        .subquery()
    )
    statement = (
        update(records)
        .where(records.c.number == seated.c.number, records.c.seat != seated.c.seat)
        .values(seat=seated.c.seat)
    )
    connection.execute(statement, {"user": user})


def insert_rows(connection: Connection, user: str, rows: Sequence[Row]) -> Sequence[Row]:
    if not rows:
        return []
    sessions = {row["session"] for row in rows if row["session"] is not None}
    found = connection.execute(SEATS, {"user": user, "sessions": sorted(sessions)})
    free = Counter({(ai, session): seat for ai, session, seat in found})
    seated = list[Row]()
    for row in rows:
        thread = row["ai"], row["session"]
        seat = None if row["session"] is None else free[thread]
        seated.append({**row, "seat": seat})
        free[thread] += 1
    connection.execute(insert(records), seated)
    return rows


def embed(connection: Connection, user: str, embeddings: Sequence[Row]) -> None:
    if embeddings:
        changes = [
            {
                "user": user,
                "embedded_by": row["embedded_by"],
                "embedding": row["embedding"],
                **{f"of_{name}": row[name] for name in ("kind", "id", "revision", "ordinal")},
            }
            for row in embeddings
        ]
        connection.execute(EMBED, changes)


def _add_up(sums: Counter[str], rows: Sequence[Row], sign: int) -> None:
    sums["rows"] += sign * len(rows)
    sums["words"] += sign * sum(row["length"] for row in rows)
    sums["pairs"] += sign * sum(row["pairs"] for row in rows)


def _columns(state: State) -> dict[str, Any]:
    return {name: getattr(state, name) for name in State.__slots__}
