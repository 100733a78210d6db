"""Memories in the process."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from memweaver.adapters.memory.listing import page
from memweaver.adapters.memory.state import Entry, State, User, plain
from memweaver.domain.event import Event, EventKind
from memweaver.domain.memory import Memory, Tier
from memweaver.domain.relation import relation_of, same
from memweaver.domain.scope import Scope, checked_name
from memweaver.domain.search import Kind, Ref
from memweaver.errors import Conflict, NotFound
from memweaver.ports.store import Page


def add(state: State, given: Sequence[Memory]) -> Sequence[Memory]:
    given = [replace(memory, metadata=plain(memory.metadata)) for memory in given]
    new: dict[tuple[str, str], Memory] = {}
    for memory in given:
        first = kept(state, memory) or new.setdefault((memory.scope.user, memory.id), memory)
        if not first.says_the_same_as(memory):
            raise Conflict(f"a different memory is kept under the id {memory.id!r}")
        checked_name("id", memory.id)
    return [kept(state, memory) or keep(state, memory) for memory in given]


def relate(state: State, memory: Memory) -> Memory:
    user, relation = state.begun(memory.scope.user), relation_of(memory)
    for one in worded_alike(user, memory):
        if same(relation_of(one), relation):
            return one
    [kept] = add(state, [memory])
    return kept


def worded_alike(user: User, memory: Memory) -> Iterator[Memory]:
    """Open memories with its very words; the word of a quarantined one counts less."""
    for entry in user.revisions():
        one = entry.value
        if (
            one.validity.known_to is None
            and (one.scope, one.tier, one.words) == (memory.scope, memory.tier, memory.words)
            and one.quarantined <= memory.quarantined
        ):
            yield one


def keep(state: State, memory: Memory) -> Memory:
    user = state.begun(memory.scope.user)
    take_places(state, memory)
    entry = user.kept(Ref(Kind.MEMORY, memory.id, memory.revision), memory)
    user.memories[memory.id] = [entry]
    tell(state, EventKind.MEMORY_ADDED, memory, memory.validity.known_from)
    return memory


def kept(state: State, memory: Memory) -> Memory | None:
    """The first revision kept under that id."""
    user = state.users.get(memory.scope.user)
    entries = user and user.memories.get(memory.id)
    return entries[0].value if entries else None


def revise(state: State, memory: Memory) -> None:
    memory = replace(memory, metadata=plain(memory.metadata))
    latest = latest_entry(state, memory.scope, memory.id)
    if latest.value.scope != memory.scope:
        raise NotFound(f"there is no memory {memory.id!r}")
    if latest.value.validity.known_to is not None:
        raise Conflict(f"the memory {memory.id!r} is closed")
    if memory.revision != latest.value.revision + 1:
        raise Conflict(f"the memory {memory.id!r} is at revision {latest.value.revision}")
    user = state.users[memory.scope.user]
    close(user, latest, memory.validity.known_from)
    take_places(state, memory)
    ref = Ref(Kind.MEMORY, memory.id, memory.revision)
    user.memories[memory.id].append(user.kept(ref, memory, serial=latest.serial))
    moved = memory.tier is not latest.value.tier
    kind = EventKind.MEMORY_MOVED if moved else EventKind.MEMORY_REVISED
    tell(state, kind, memory, memory.validity.known_from)


def take_places(state: State, memory: Memory) -> None:
    """Close the open memories whose place `memory` takes; in quarantine it takes none."""
    if memory.quarantined or memory.validity.known_to is not None:
        return
    user, at = state.users[memory.scope.user], memory.validity.known_from
    for entry in user.revisions():
        if entry.value.validity.known_to is None and gives_place(entry.value, memory):
            close(user, entry, at)
            tell(state, EventKind.MEMORY_CLOSED, entry.value, at)


def gives_place(other: Memory, memory: Memory) -> bool:
    """Whether it is superseded, or holds the same key in the core tier."""
    if other.scope != memory.scope:
        return False
    core = memory.tier is other.tier is Tier.CORE and memory.key == other.key is not None
    return core or other.id == memory.supersedes


def close(user: User, entry: Entry[Memory], at: datetime, valid_to: datetime | None = None) -> None:
    ended = valid_to or entry.value.validity.valid_to
    closed = replace(entry.value.validity, known_to=at, valid_to=ended)
    user.change(entry, replace(entry.value, validity=closed))


def latest_entry(state: State, scope: Scope, memory_id: str) -> Entry[Memory]:
    user = state.users.get(scope.user)
    entries = user and user.memories.get(memory_id)
    if not entries or not scope.may_read(entries[-1].value.scope):
        raise NotFound(f"there is no memory {memory_id!r}")
    return entries[-1]


def listed(
    state: State, scope: Scope, *, tiers: Collection[Tier], before: int | None, limit: int
) -> Page[Memory]:
    user = state.users.get(scope.user)
    entries = (
        entry
        for entry in (user.revisions() if user else ())
        if scope.may_read(entry.value.scope)
        and entry.value.tier in tiers
        and entry.value.validity.known_to is None
    )
    return page(entries, before=before, limit=limit)


def attributed(state: State, scope: Scope, attribute: str) -> Sequence[Memory]:
    user = state.users.get(scope.user)
    found = [
        entry
        for entry in (user.revisions() if user else ())
        if entry.value.scope == scope
        and entry.value.metadata.get("attribute") == attribute
        and entry.value.validity.known_to is None
        and not entry.value.quarantined
    ]
    return [entry.value for entry in sorted(found, key=lambda entry: -entry.serial)]


def erase(
    state: State, scope: Scope, memory_id: str, *, at: datetime, expected: int | None = None
) -> None:
    latest = latest_entry(state, scope, memory_id).value
    if not scope.holds(latest.scope):
        raise NotFound(f"there is no memory {memory_id!r}")
    if expected not in (None, latest.revision):
        raise Conflict(f"the memory {memory_id!r} is at revision {latest.revision}")
    user = state.users[scope.user]
    user.bury(user.memories.pop(memory_id))
    tell(state, EventKind.MEMORY_ERASED, latest, at)


def erase_some(state: State, scope: Scope, limit: int, at: datetime) -> int:
    user = state.users.get(scope.user)
    there = user.memories.items() if user else ()
    chosen = [name for name, entries in there if scope.holds(entries[-1].value.scope)][:limit]
    for memory_id in chosen:
        erase(state, scope, memory_id, at=at)
    return len(chosen)


def tell(state: State, kind: EventKind, memory: Memory, at: datetime) -> None:
    state.tell(Event(kind, memory.scope, memory.id, at, memory.tier))
