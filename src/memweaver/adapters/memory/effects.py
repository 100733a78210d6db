"""What a reflection changes, in the process: all of it or nothing."""

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from datetime import datetime

from memweaver.adapters.memory import memories, vectors
from memweaver.adapters.memory.state import Entry, State, User, Value
from memweaver.domain.event import EventKind
from memweaver.domain.memory import Memory
from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, InvalidInput, NotFound
from memweaver.ports.queue import Closing, Effects


def applied(state: State, scope: Scope, effects: Effects, now: datetime) -> Sequence[Memory]:
    """The memories that were added."""
    name = scope.user
    if any(memory.scope.user != name for memory in (*effects.added, *effects.revised)):
        raise InvalidInput("a reflection changes memories of its own user only")
    before = copied(state.users[name])
    try:
        return list(change(state, scope, effects, now))
    except Exception as error:
        state.users[name] = before
        if isinstance(error, NotFound):
            raise Conflict("a memory was erased meanwhile") from error
        raise


def change(state: State, scope: Scope, effects: Effects, now: datetime) -> Iterator[Memory]:
    user = state.users[scope.user]
    for closing in effects.closed:
        close(state, scope, closing, now)
    for memory in effects.revised:
        memories.revise(state, memory)
    for memory in effects.added:
        if memory.id in user.memories:
            memories.add(state, [memory])
        elif not any(memories.worded_alike(user, memory)):
            yield from memories.add(state, [memory])
    vectors.keep(user, effects.vectors)


def close(state: State, scope: Scope, closing: Closing, now: datetime) -> None:
    entry = memories.latest_entry(state, scope, closing.memory_id)
    if entry.value.validity.known_to is not None:
        raise Conflict(f"the memory {closing.memory_id!r} is closed")
    if entry.value.revision != closing.revision:
        at = entry.value.revision
        raise Conflict(f"the memory {closing.memory_id!r} is at revision {at}")
    memories.close(state.users[scope.user], entry, now, closing.valid_to)
    memories.tell(state, EventKind.MEMORY_CLOSED, entry.value, now)


def copied(user: User) -> User:
    """`user` as it is now, whatever is changed later."""
    return replace(
        user,
        turns={name: copied_entry(entry) for name, entry in user.turns.items()},
        memories={
            name: [copied_entry(entry) for entry in every] for name, every in user.memories.items()
        },
        erased=dict(user.erased),
        segments=list(user.segments),
        told=list(user.told),
    )


def copied_entry(entry: Entry[Value]) -> Entry[Value]:
    other = copy(entry)
    other.held_at = list(entry.held_at)
    return other
