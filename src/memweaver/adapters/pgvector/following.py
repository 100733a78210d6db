"""Follows the store: takes in what changed, in one transaction with how far it came."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
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
from memweaver.adapters.pgvector.seats import move_up, seated
from memweaver.domain.search import Kind, Ref


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
THESE = records.c.id == func.any(bindparam("ids", type_=ARRAY(Text)))
NAMED = select(
    *(records.c[name] for name in ("kind", "id", "revision", "seat", "session", "length", "pairs"))
).where(MINE, THESE)
REMOVE = delete(records).where(
    MINE, THESE, records.c.seat == func.any(bindparam("seats", type_=ARRAY(BigInteger)))
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
    gone: frozenset[Ref]
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


def remove(connection: Connection, user: str, gone: Collection[Ref]) -> Sequence[Row]:
    """Remove the rows of records; those that sat behind them move up."""
    ids = sorted({ref.id for ref in gone})
    rows = connection.execute(NAMED, {"user": user, "ids": ids}).all()
    left = [row for row in rows if Ref(Kind(row.kind), row.id, row.revision) in gone]
    if left:
        seats = [row.seat for row in left]
        connection.execute(REMOVE, {"user": user, "ids": ids, "seats": seats})
        move_up(connection, user, [row.seat for row in left if row.session is not None])
    return [{"length": row.length, "pairs": row.pairs} for row in left]


def insert_rows(connection: Connection, user: str, rows: Sequence[Row]) -> Sequence[Row]:
    if rows:
        connection.execute(insert(records), seated(connection, user, rows))
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
