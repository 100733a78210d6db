"""What a reflection changes, applied in the transaction that ends its jobs."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlalchemy import Connection

from memweaver.adapters.sql import memories, scoped, vectors
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.schema import memories as rows
from memweaver.adapters.sql.users import Head
from memweaver.domain.event import EventKind
from memweaver.domain.memory import Memory
from memweaver.domain.scope import Scope, checked_name
from memweaver.errors import Conflict, InvalidInput, NotFound
from memweaver.ports.queue import Closing, Effects


def apply(
    connection: Connection,
    keyring: Keyring,
    head: Head,
    scope: Scope,
    effects: Effects,
    *,
    now: datetime,
) -> Sequence[Memory]:
    """The memories that were added."""
    if any(one.scope.user != head.owner for one in (*effects.added, *effects.revised)):
        raise InvalidInput("a reflection changes memories of its own user only")
    try:
        for closing in effects.closed:
            close(connection, keyring, head, scope, closing, now=now)
        for memory in effects.revised:
            memories.revise_one(connection, keyring, head, memory)
    except NotFound as error:
        raise Conflict("a memory was erased meanwhile") from error
    added = list(add(connection, keyring, head, effects.added))
    vectors.keep_theirs(connection, keyring, head, effects.vectors)
    head.settle(connection)
    return added


def close(
    connection: Connection,
    keyring: Keyring,
    head: Head,
    scope: Scope,
    closing: Closing,
    *,
    now: datetime,
) -> None:
    mine = scoped.seen(rows, scope)
    latest = memories.latest_row(connection, mine, scope.user, closing.memory_id)
    if latest is None:
        raise NotFound(f"there is no memory {closing.memory_id!r}")
    memories.demand_open(latest, closing.revision)
    memories.close(connection, keyring, head, latest, now, valid_to=closing.valid_to)
    memories.tell_of(connection, EventKind.MEMORY_CLOSED, latest, now)


def add(
    connection: Connection, keyring: Keyring, head: Head, given: Sequence[Memory]
) -> Iterator[Memory]:
    for memory in given:
        names = {"user": head.owner, "id": checked_name("id", memory.id)}
        known = connection.execute(memories.FIRST, names).first() is not None
        if known or not said_already(connection, head, memory):
            kept = memories.add_one(connection, keyring, head, memory)
            yield from () if known else (kept,)


def said_already(connection: Connection, head: Head, memory: Memory) -> bool:
    alike = memories.worded_alike(head, memory).limit(1)
    return connection.execute(alike, {"user": head.owner}).first() is not None
