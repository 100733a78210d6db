"""The `Changes` port in the process."""

from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from memweaver.adapters.memory.state import Entry, State, User
from memweaver.domain.conversation import Turn
from memweaver.domain.memory import Memory
from memweaver.domain.search import Kind, Ref
from memweaver.ports.changes import Changes, Delta, Segment, Stamp

Change = TypeVar("Change")


class InMemoryChanges(Changes):
    def __init__(self, state: State) -> None:
        self._state = state

    async def stamp(self, user: str) -> Stamp | None:
        found = self._state.users.get(user)
        return None if found is None else Stamp(found.epoch, found.version)

    async def since(self, user: str, after: int, upto: int) -> Delta:
        found = self._state.users.get(user)
        return Delta([], [], [], []) if found is None else delta(found, after, upto)

    async def records(self, user: str, refs: Collection[Ref]) -> Delta:
        found = self._state.users.get(user)
        return Delta([], [], [], []) if found is None else named(found, refs)

    async def index_key(self, user: str) -> bytes | None:
        found = self._state.users.get(user)
        return None if found is None else found.index_key

    async def segments(self, user: str) -> Sequence[Segment]:
        found = self._state.users.get(user)
        kept = found.segments if found else []
        return sorted(kept, key=lambda segment: segment.after)

    async def keep_segment(self, user: str, seen: Stamp, segment: Segment) -> bool:
        found = self._state.users.get(user)
        if found is None or found.epoch != seen.epoch or found.erased_at > seen.version:
            return False
        others = [other for other in found.segments if not within(other, segment)]
        if any(overlaps(other, segment) for other in others):
            return False
        found.segments = [*others, segment]
        return True


def within(one: Segment, other: Segment) -> bool:
    return one.after >= other.after and one.upto <= other.upto


def overlaps(one: Segment, other: Segment) -> bool:
    return one.after < other.upto and one.upto > other.after


def delta(user: User, after: int, upto: int) -> Delta:
    said, known = user.turns.values(), user.revisions()
    every: list[Entry[Turn] | Entry[Memory]] = [*said, *known]

    def in_range(changes: Iterable[tuple[int, Change]]) -> list[Change]:
        changed = sorted(changes, key=lambda change: change[0])
        return [value for version, value in changed if after < version <= upto]

    return Delta(
        turns=in_range((one.version, one.value) for one in said),
        memories=in_range((one.version, one.value) for one in known),
        vectors=in_range((one.embedded_at, one.vectors) for one in every if one.vectors),
        erased=in_range((version, ref) for ref, version in user.erased.items()),
    )


def named(user: User, refs: Collection[Ref]) -> Delta:
    """The records that `refs` name, each list oldest first."""
    every = delta(user, 0, user.version)
    return Delta(
        turns=[turn for turn in every.turns if Ref(Kind.TURN, turn.id) in refs],
        memories=[one for one in every.memories if Ref(Kind.MEMORY, one.id, one.revision) in refs],
        vectors=[vectors for vectors in every.vectors if vectors.ref in refs],
        erased=[],
    )
