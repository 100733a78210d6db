"""Segments: what an index prepared from a range of versions, kept sealed."""

from collections.abc import Sequence

from sqlalchemy import Connection, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.schema import segments
from memweaver.adapters.sql.sealed import body_of, with_body
from memweaver.adapters.sql.users import locked
from memweaver.ports.changes import Segment, Stamp

ALL = scoped.reading(segments).order_by(segments.c.after)

OVERLAPPING = scoped.reading(segments, segments.c.after, segments.c.upto).where(
    segments.c.after < scoped.given("end"), segments.c.upto > scoped.given("start")
)

REMOVE_WITHIN = scoped.removing(segments).where(
    segments.c.after >= scoped.given("start"), segments.c.upto <= scoped.given("end")
)


def kept(connection: Connection, keyring: Keyring, user: str) -> Sequence[Segment]:
    return [
        Segment(row.after, row.upto, body_of(connection, keyring, segments, row))
        for row in connection.execute(ALL, {"user": user})
    ]


def keep(
    connection: Connection, keyring: Keyring, user: str, seen: Stamp, segment: Segment
) -> bool:
    head = locked(connection, keyring, user)
    if head is None or head.epoch != seen.epoch or head.erased > seen.version:
        return False
    mine = {"user": user, "start": segment.after, "end": segment.upto}
    for row in connection.execute(OVERLAPPING, mine):
        if row.after < segment.after or row.upto > segment.upto:
            return False
    connection.execute(REMOVE_WITHIN, mine)
    new = {"owner": user, "after": segment.after, "upto": segment.upto}
    sealed = with_body(keyring, head.key, segments, new, segment.body)
    connection.execute(insert(segments), sealed)
    return True
