"""Memories: a row for each revision, the latest open until something takes its place."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, false, insert, or_

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.erasing import erase, revive
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.rows import (
    memory_from_row,
    memory_to_body,
    memory_to_row,
    micros,
    plain,
    values,
)
from memweaver.adapters.sql.schema import memories, traces
from memweaver.adapters.sql.sealed import body_of, with_body
from memweaver.adapters.sql.telling import tell
from memweaver.adapters.sql.users import Head, begun, current_key, locked
from memweaver.domain.event import Event, EventKind
from memweaver.domain.memory import Memory, Tier
from memweaver.domain.relation import relation_of, same
from memweaver.domain.scope import Scope, checked_name
from memweaver.domain.search import Kind, Ref
from memweaver.errors import Conflict, NotFound
from memweaver.ports.store import Page

NAMED = scoped.reading(memories).where(memories.c.id == scoped.given("id"))
SEVERAL = scoped.reading(memories).where(memories.c.id.in_(scoped.several("ids")))
FIRST = NAMED.order_by(memories.c.revision).limit(1)
REVISION = memories.c.id == scoped.given("memory_id"), memories.c.revision == scoped.given("number")
CLOSED = ("known_to", "valid_to", "version", "key_id", "body")
CLOSE = (
    scoped.updating(memories)
    .where(*REVISION)
    .values({name: scoped.given(f"new_{name}") for name in CLOSED})
)


def add(connection: Connection, keyring: Keyring, given: Sequence[Memory]) -> Sequence[Memory]:
    heads = {
        owner: begun(connection, keyring, owner, reserved=count)
        for owner, count in sorted(Counter(memory.scope.user for memory in given).items())
    }
    kept = [add_one(connection, keyring, heads[memory.scope.user], memory) for memory in given]
    for head in heads.values():
        head.settle(connection)
    return kept


def add_one(connection: Connection, keyring: Keyring, head: Head, memory: Memory) -> Memory:
    names = {"user": head.owner, "id": checked_name("id", memory.id)}
    row = connection.execute(FIRST, names).one_or_none()
    if row is None:
        take_places(connection, keyring, head, memory)
        version = head.next_version()
        keep(connection, keyring, head, memory, serial=version, version=version)
        tell(connection, happened(EventKind.MEMORY_ADDED, memory))
        return memory
    first = opened(connection, keyring, row)
    if not first.says_the_same_as(replace(memory, metadata=plain(memory.metadata))):
        raise Conflict(f"a different memory is kept under the id {memory.id!r}")
    return first


def relate(connection: Connection, keyring: Keyring, memory: Memory) -> Memory:
    """Whoever comes second waits for the user's head, and so finds what the first has kept."""
    head = begun(connection, keyring, memory.scope.user, reserved=1)
    rows = connection.execute(worded_alike(head, memory), {"user": head.owner}).all()
    alike = [opened(connection, keyring, row) for row in rows]
    known = [one for one in alike if same(relation_of(one), relation_of(memory))]
    kept = known[0] if known else add_one(connection, keyring, head, memory)
    head.settle(connection)
    return kept


def worded_alike(head: Head, memory: Memory) -> Select[Any]:
    """Open memories with its very words; the word of a quarantined one counts less."""
    return scoped.written_in(memories, memory.scope).where(
        memories.c.fingerprint == head.key.fingerprint(memory.words),
        memories.c.tier == memory.tier,
        memories.c.known_to.is_(None),
        memories.c.quarantined.in_({False, memory.quarantined}),
    )


def revise(connection: Connection, keyring: Keyring, memory: Memory) -> None:
    head = locked(connection, keyring, memory.scope.user)
    if head is None:
        raise NotFound(f"there is no memory {memory.id!r}")
    revise_one(connection, keyring, head, memory)
    head.settle(connection)


def revise_one(connection: Connection, keyring: Keyring, head: Head, memory: Memory) -> None:
    mine = scoped.written_in(memories, memory.scope)
    latest = latest_row(connection, mine, memory.scope.user, memory.id)
    if latest is None:
        raise NotFound(f"there is no memory {memory.id!r}")
    demand_open(latest, memory.revision - 1)
    close(connection, keyring, head, latest, memory.validity.known_from)
    take_places(connection, keyring, head, memory)
    keep(connection, keyring, head, memory, serial=latest.serial, version=head.next_version())
    moved = latest.tier != memory.tier
    kind = EventKind.MEMORY_MOVED if moved else EventKind.MEMORY_REVISED
    tell(connection, happened(kind, memory))


def demand_open(latest: Row[Any], revision: int) -> None:
    """Raises `Conflict` if the memory is closed, or not at this revision."""
    if latest.known_to is not None:
        raise Conflict(f"the memory {latest.id!r} is closed")
    if latest.revision != revision:
        raise Conflict(f"the memory {latest.id!r} is at revision {latest.revision}")


def keep(
    connection: Connection,
    keyring: Keyring,
    head: Head,
    memory: Memory,
    *,
    serial: int,
    version: int,
) -> None:
    row = memory_to_row(memory, serial, version, head.key)
    sealed = with_body(keyring, head.key, memories, row, memory_to_body(memory))
    connection.execute(insert(memories), sealed)
    revive(connection, head, [Ref(Kind.MEMORY, memory.id, memory.revision)])


def take_places(connection: Connection, keyring: Keyring, head: Head, memory: Memory) -> None:
    """Close the open memories whose place `memory` takes; in quarantine it takes none."""
    places = list(places_of(head, memory))
    if not places or memory.quarantined or memory.validity.known_to is not None:
        return
    mine = scoped.written_in(memories, memory.scope)
    taken = mine.where(memories.c.known_to.is_(None), or_(*places)).order_by(memories.c.serial)
    for row in connection.execute(taken, {"user": head.owner}).all():
        close(connection, keyring, head, row, memory.validity.known_from)
        tell_of(connection, EventKind.MEMORY_CLOSED, row, memory.validity.known_from)


def places_of(head: Head, memory: Memory) -> Iterator[ColumnElement[bool]]:
    """The one it supersedes, and in the core tier the one with its key."""
    if memory.supersedes is not None:
        yield memories.c.id == checked_name("supersedes", memory.supersedes)
    if memory.tier is Tier.CORE and memory.key is not None:
        blind = head.key.blind("core_key", memory.key)
        yield (memories.c.core_key == blind) & (memories.c.tier == Tier.CORE)


def close(
    connection: Connection,
    keyring: Keyring,
    head: Head,
    row: Row[Any],
    at: datetime,
    *,
    valid_to: datetime | None = None,
) -> None:
    """End a revision. It gets a new version, and its body is sealed anew to go with that."""
    clear = body_of(connection, keyring, memories, row)
    ended = row.valid_to if valid_to is None else micros(valid_to)
    closed = {"known_to": micros(at), "valid_to": ended, "version": head.next_version()}
    sealed = with_body(keyring, head.key, memories, {**values(row), **closed}, clear)
    new = {f"new_{name}": sealed[name] for name in CLOSED}
    names = {"user": head.owner, "memory_id": row.id, "number": row.revision}
    connection.execute(CLOSE, {**names, **new})
    trace = {"owner": head.owner, "kind": Kind.MEMORY, "id": row.id, "version": row.version}
    connection.execute(insert(traces), trace)


def memory(connection: Connection, keyring: Keyring, scope: Scope, memory_id: str) -> Memory:
    readable = scoped.shared_with(memories, scope)
    row = latest_row(connection, readable, scope.user, memory_id)
    if row is None:
        raise NotFound(f"there is no memory {memory_id!r}")
    return opened(connection, keyring, row)


def latest_row(
    connection: Connection, among: Select[Any], owner: str, memory_id: str
) -> Row[Any] | None:
    statement = among.where(memories.c.id == scoped.known_name(memory_id))
    latest = statement.order_by(memories.c.revision.desc()).limit(1)
    return connection.execute(latest, {"user": owner}).one_or_none()


def listed(
    connection: Connection,
    keyring: Keyring,
    scope: Scope,
    *,
    tiers: Collection[Tier],
    before: int | None,
    limit: int,
) -> Page[Memory]:
    statement = scoped.shared_with(memories, scope).where(
        memories.c.known_to.is_(None), memories.c.tier.in_(sorted(tiers))
    )
    rows, following = scoped.page(
        connection, statement, memories.c.serial, before=before, limit=limit, owner=scope.user
    )
    return Page([opened(connection, keyring, row) for row in rows], following)


def attributed(
    connection: Connection, keyring: Keyring, scope: Scope, attribute: str
) -> Sequence[Memory]:
    key = current_key(connection, keyring, scope.user)
    if key is None:
        return []
    names = {"user": scope.user, "attribute": key.blind("attribute", attribute)}
    rows = connection.execute(with_attribute(scope), names).all()
    latest = sorted(rows, key=lambda row: -row.serial)
    return [opened(connection, keyring, row) for row in latest]


def with_attribute(scope: Scope) -> Select[Any]:
    return scoped.written_in(memories, scope).where(
        memories.c.attribute == scoped.given("attribute"),
        memories.c.known_to.is_(None),
        memories.c.quarantined.is_(false()),
    )


def erase_memory(
    connection: Connection,
    keyring: Keyring,
    scope: Scope,
    memory_id: str,
    *,
    at: datetime,
    expected: int | None = None,
) -> None:
    head = locked(connection, keyring, scope.user)
    mine = scoped.seen(memories, scope)
    latest = latest_row(connection, mine, scope.user, memory_id)
    if head is None or latest is None:
        raise NotFound(f"there is no memory {memory_id!r}")
    if expected not in (None, latest.revision):
        raise Conflict(f"the memory {memory_id!r} is at revision {latest.revision}")
    erase_revisions(connection, head, memory_id, at)


def erase_revisions(connection: Connection, head: Head, memory_id: str, at: datetime) -> None:
    revisions = connection.execute(
        NAMED.order_by(memories.c.revision), {"user": head.owner, "id": memory_id}
    ).all()
    refs = [Ref(Kind.MEMORY, memory_id, row.revision) for row in revisions]
    erase(connection, head, memories, revisions, refs)
    tell_of(connection, EventKind.MEMORY_ERASED, revisions[-1], at)


def happened(kind: EventKind, memory: Memory) -> Event:
    return Event(kind, memory.scope, memory.id, memory.validity.known_from, memory.tier)


def tell_of(connection: Connection, kind: EventKind, row: Row[Any], at: datetime) -> None:
    tell(connection, Event(kind, Scope(row.owner, row.ai), row.id, at, Tier(row.tier)))


def erase_some(connection: Connection, head: Head, scope: Scope, limit: int, at: datetime) -> int:
    """Remove up to `limit` memories of a scope; answer how many."""
    mine = scoped.seen(memories, scope).with_only_columns(memories.c.id).distinct()
    some = mine.order_by(memories.c.id).limit(limit)
    ids = connection.execute(some, {"user": head.owner}).scalars().all()
    for memory_id in ids:
        erase_revisions(connection, head, memory_id, at)
    return len(ids)


def opened(connection: Connection | None, keyring: Keyring, row: Row[Any]) -> Memory:
    return memory_from_row(row, body_of(connection, keyring, memories, row))
