"""The `VectorStore` port over SQL."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, Update, func, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.rows import vectors_to_body
from memweaver.adapters.sql.schema import memories, traces, turns, vectors
from memweaver.adapters.sql.sealed import SealedDatabase, with_body
from memweaver.adapters.sql.users import Head, locked
from memweaver.adapters.sql.waiting import unembedded
from memweaver.domain.search import Kind, Ref
from memweaver.ports.changes import Vectors
from memweaver.ports.vectors import Progress, Unembedded, VectorStore

FEW = 8
"""Records up to which keeping their vectors is quick."""
REMOVE = scoped.removing(vectors).where(
    vectors.c.kind == scoped.given("of_kind"),
    vectors.c.id == scoped.given("of_id"),
    vectors.c.revision == scoped.given("of_revision"),
)
FORMER = scoped.reading(
    vectors, vectors.c.kind, vectors.c.id, vectors.c.revision, vectors.c.version
).where(vectors.c.kind.in_(list(Kind)), vectors.c.id.in_(scoped.several("ids")))
SAID = scoped.reading(turns, turns.c.id).where(turns.c.id.in_(scoped.several("ids")))
KNOWN = scoped.reading(memories, memories.c.id, memories.c.revision).where(
    memories.c.id.in_(scoped.several("ids"))
)


class SqlVectors(VectorStore):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def unembedded(self, model: str, limit: int) -> Sequence[Unembedded]:
        return await self._database.read(lambda c, keys: unembedded(c, keys, model, limit))

    async def keep_vectors(self, user: str, vectors: Sequence[Vectors]) -> None:
        await self._database.write(
            lambda c, keys: keep(c, keys, user, vectors),
            quick=len(vectors) <= FEW and self._database.keyring.holds(user),
        )

    async def progress(self, model: str) -> Progress:
        return await self._database.plain.read(lambda c: progress(c, model))


def keep(connection: Connection, keyring: Keyring, user: str, given: Sequence[Vectors]) -> None:
    head = locked(connection, keyring, user)
    if head is not None:
        keep_theirs(connection, keyring, head, given)
        head.settle(connection)


def keep_theirs(
    connection: Connection, keyring: Keyring, head: Head, given: Sequence[Vectors]
) -> None:
    latest = {one.ref: one for one in given}
    there = existing(connection, head.owner, latest)
    kept = [one for ref, one in latest.items() if ref in there]
    if kept:
        remove_former(connection, head.owner, kept)
        connection.execute(insert(vectors), [row_of(keyring, head, one) for one in kept])
        mark_embedded(connection, head.owner, kept)


def existing(connection: Connection, user: str, refs: Collection[Ref]) -> set[Ref]:
    """Those of `refs` whose records are still there."""
    said = _named(connection, SAID, user, [ref for ref in refs if ref.kind is Kind.TURN])
    known = _named(connection, KNOWN, user, [ref for ref in refs if ref.kind is Kind.MEMORY])
    return {Ref(Kind.TURN, row.id) for row in said} | {
        Ref(Kind.MEMORY, row.id, row.revision) for row in known
    }


def remove_former(connection: Connection, user: str, given: Sequence[Vectors]) -> None:
    """Remove the vectors the records had; remember at which version, as segments hold them."""
    refs = {one.ref for one in given}
    former = {
        ref: row.version
        for row in _named(connection, FORMER, user, refs)
        if (ref := Ref(Kind(row.kind), row.id, row.revision)) in refs
    }
    if former:
        held = [
            {"owner": user, "kind": ref.kind, "id": ref.id, "version": version}
            for ref, version in former.items()
        ]
        connection.execute(insert(traces), held)
        connection.execute(REMOVE, [{"user": user, **_names(ref)} for ref in former])


def _named(
    connection: Connection, statement: Select[Any], user: str, refs: Collection[Ref]
) -> Iterator[Row[Any]]:
    ids = sorted({ref.id for ref in refs})
    return scoped.in_pieces(connection, statement, {"user": user}, "ids", ids)


def row_of(keyring: Keyring, head: Head, one: Vectors) -> Mapping[str, Any]:
    row = {
        "owner": head.owner,
        "kind": one.ref.kind,
        "id": one.ref.id,
        "revision": one.ref.revision,
        "model": one.model,
        "version": head.next_version(),
    }
    return with_body(keyring, head.key, vectors, row, vectors_to_body(one.vectors))


def mark_embedded(connection: Connection, user: str, given: Sequence[Vectors]) -> None:
    for kind, table in ((Kind.TURN, turns), (Kind.MEMORY, memories)):
        marks = [
            {"user": user, "model": one.model, **_names(one.ref)}
            for one in given
            if one.ref.kind is kind
        ]
        if marks:
            connection.execute(_marking(table), marks)


def _marking(table: Table) -> Update:
    named = table.c.id == scoped.given("of_id")
    if table is memories:
        named &= table.c.revision == scoped.given("of_revision")
    return scoped.updating(table).where(named).values(embedded_by=scoped.given("model"))


def _names(ref: Ref) -> dict[str, object]:
    return {"of_kind": ref.kind, "of_id": ref.id, "of_revision": ref.revision}


def progress(connection: Connection, model: str) -> Progress:
    embedded = total = 0
    for table in (turns, memories):
        count = scoped.everybodys(table, func.count())
        total += connection.execute(count.select_from(table)).scalar_one()
        done = count.where(table.c.embedded_by == model)
        embedded += connection.execute(done).scalar_one()
    return Progress(embedded, total)
