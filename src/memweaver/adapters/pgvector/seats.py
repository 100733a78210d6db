"""Where rows sit: messages of one session of one AI side by side, memories by themselves."""

from collections.abc import Sequence
from hashlib import blake2b

from sqlalchemy import BigInteger, Connection, bindparam, column, func, select, update
from sqlalchemy.dialects.postgresql import ARRAY

from memweaver.adapters.pgvector.rows import Row
from memweaver.adapters.pgvector.schema import records

BENCH = 1 << 21
"""Seats on one bench: more than a session has messages."""
BENCHES = 1 << 42

MINE = records.c.owner == bindparam("user")
GIVEN = bindparam("seats", type_=ARRAY(BigInteger))
_bench = func.unnest(GIVEN).table_valued(column("first", BigInteger), name="bench").render_derived()
_taken = (
    select(func.max(records.c.seat))
    .where(MINE, records.c.seat >= _bench.c.first, records.c.seat < _bench.c.first + BENCH)
    .scalar_subquery()
)
TAKEN = select(_bench.c.first, _taken)
_left = func.unnest(GIVEN).table_valued(column("seat", BigInteger), name="gone").render_derived()
_fewer = (
    select(func.count())
    .select_from(_left)
    .where(_left.c.seat < records.c.seat, _left.c.seat >= records.c.seat - records.c.seat % BENCH)
    .scalar_subquery()
)
MOVE_UP = (
    update(records)
    .where(
        MINE,
        records.c.seat > bindparam("first"),
        records.c.seat < bindparam("end"),
    )
    .values(seat=records.c.seat - _fewer)
)


def bench(row: Row) -> int:
    """The first seat of the bench that a row belongs on."""
    if row["session"] is None:
        name = f"{row['kind']}\0{row['id']}\0{row['revision']}"
    else:
        name = f"{row['session']}\0{row['ai'] or ''}"
    digest = blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest, "little") % BENCHES * BENCH


def seated(connection: Connection, user: str, rows: Sequence[Row]) -> list[Row]:
    """The rows, each with the next free seat of its bench."""
    benches = [bench(row) for row in rows]
    taken = connection.execute(TAKEN, {"user": user, "seats": sorted(set(benches))})
    free = {first: first if last is None else last + 1 for first, last in taken}
    placed = list[Row]()
    for row, first in zip(rows, benches, strict=True):
        placed.append({**row, "seat": free[first]})
        free[first] += 1
    return placed


def move_up(connection: Connection, user: str, left: Sequence[int]) -> None:
    """Close the gaps that rows left at the seats `left`."""
    for first in sorted({seat - seat % BENCH for seat in left}):
        gone = sorted(seat for seat in left if first <= seat < first + BENCH)
        ends = {"first": gone[0], "end": first + BENCH}
        connection.execute(MOVE_UP, {"user": user, "seats": gone, **ends})
