"""Records that wait for vectors by a model: new ones, and those of an older model."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, literal, union_all

from memweaver.adapters.sql import memories as memory_rows
from memweaver.adapters.sql import scoped
from memweaver.adapters.sql import turns as turn_rows
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.schema import memories, turns
from memweaver.domain.search import Kind, Ref
from memweaver.errors import Unreadable
from memweaver.ports.vectors import Unembedded

Texts = Mapping[tuple[str, Ref], tuple[str, ...]]


def unembedded(
    connection: Connection, keyring: Keyring, model: str, limit: int
) -> Sequence[Unembedded]:
    found: list[Unembedded] = []
    passed = 0
    while len(found) < limit and (names := names_waiting(connection, model, limit, passed)):
        passed += len(names)
        texts = texts_of(connection, keyring, names)
        found += [Unembedded(*name, texts[name]) for name in names if name in texts]
    return found[:limit]


def names_waiting(
    connection: Connection, model: str, limit: int, passed: int
) -> Sequence[tuple[str, Ref]]:
    """Users and records, oldest first; a lookup in an index for each way of waiting."""
    every = union_all(*(lookup for lookup in lookups(model)))
    oldest = every.order_by("age", "owner", "kind", "id", "revision").limit(limit).offset(passed)
    rows = connection.execute(oldest).all()
    return [(row.owner, Ref(Kind(row.kind), row.id, row.revision)) for row in rows]


def lookups(model: str) -> Iterator[Select[Any]]:
    """Not embedded at all, or by a model before or after this one in the index."""
    said = scoped.everybodys(
        turns,
        turns.c.recorded_at.label("age"),
        turns.c.owner,
        literal(Kind.TURN.value).label("kind"),
        turns.c.id,
        literal(1).label("revision"),
    )
    known = scoped.everybodys(
        memories,
        memories.c.known_from.label("age"),
        memories.c.owner,
        literal(Kind.MEMORY.value).label("kind"),
        memories.c.id,
        memories.c.revision,
    )
    for statement, made_by in ((said, turns.c.embedded_by), (known, memories.c.embedded_by)):
        yield statement.where(made_by.is_(None))
        yield statement.where(made_by < model)
        yield statement.where(made_by > model)


def texts_of(connection: Connection, keyring: Keyring, names: Sequence[tuple[str, Ref]]) -> Texts:
    """The searchable texts of records; without those that cannot be opened."""
    ids = defaultdict[tuple[str, Kind], list[str]](list)
    for owner, ref in names:
        ids[owner, ref.kind].append(ref.id)
    texts: dict[tuple[str, Ref], tuple[str, ...]] = {}
    for (owner, kind), theirs in ids.items():
        statement = turn_rows.NAMED if kind is Kind.TURN else memory_rows.SEVERAL
        for row in scoped.in_pieces(connection, statement, {"user": owner}, "ids", theirs):
            try:
                ref, spoken = spoken_of(connection, keyring, kind, row)
            except Unreadable:
                continue
            texts[owner, ref] = spoken
    return texts


def spoken_of(
    connection: Connection, keyring: Keyring, kind: Kind, row: Row[Any]
) -> tuple[Ref, tuple[str, ...]]:
    if kind is Kind.TURN:
        turn = turn_rows.opened(connection, keyring, row)
        return Ref(kind, turn.id), tuple(message.spoken for message in turn.messages)
    memory = memory_rows.opened(connection, keyring, row)
    return Ref(kind, memory.id, memory.revision), (memory.spoken,)
