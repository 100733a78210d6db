"""Erasing a record: its rows, its vectors, and every segment that may hold something of it."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, Table, and_, insert, or_

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.schema import erased, segments, traces, vectors
from memweaver.adapters.sql.users import Head
from memweaver.domain.search import Ref


def erase(
    connection: Connection, head: Head, table: Table, rows: Sequence[Row[Any]], refs: Sequence[Ref]
) -> None:
    """Remove all `rows` of one record, known to an index as `refs`."""
    kind, name = refs[0].kind, refs[0].id
    mine = {"user": head.owner, "kind": kind, "id": name}
    held_at = [row.version for row in rows]
    for derived in (vectors, traces):
        record = and_(derived.c.kind == scoped.given("kind"), derived.c.id == scoped.given("id"))
        versions = scoped.reading(derived, derived.c.version).where(record)
        held_at += connection.execute(versions, mine).scalars()
        connection.execute(scoped.removing(derived).where(record), mine)
    connection.execute(scoped.removing(table).where(table.c.id == scoped.given("id")), mine)
    drop_segments(connection, head.owner, held_at)
    bury(connection, head, refs)


def drop_segments(connection: Connection, owner: str, versions: Sequence[int]) -> None:
    """Remove the segments made from a range with any of `versions` in it."""
    covering = or_(*((segments.c.after < one) & (segments.c.upto >= one) for one in versions))
    connection.execute(scoped.removing(segments).where(covering), {"user": owner})


def bury(connection: Connection, head: Head, refs: Sequence[Ref]) -> None:
    """Tell whoever follows the changes that the records are gone."""
    graves = [
        {
            "owner": head.owner,
            "version": head.next_version(),
            "kind": ref.kind,
            "id": ref.id,
            "revision": ref.revision,
        }
        for ref in refs
    ]
    connection.execute(insert(erased), graves)
    head.settle(connection, erasing=True)


def revive(connection: Connection, head: Head, refs: Sequence[Ref]) -> None:
    """Take back that records are gone which were just kept anew under the same names."""
    if not head.erased:
        return
    grave = and_(
        erased.c.kind == scoped.given("kind"),
        erased.c.id == scoped.given("id"),
        erased.c.revision == scoped.given("revision"),
    )
    mine = [
        {"user": head.owner, "kind": ref.kind, "id": ref.id, "revision": ref.revision}
        for ref in refs
    ]
    connection.execute(scoped.removing(erased).where(grave), mine)
