"""The port to wherever turns and memories live."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar

from memweaver.domain.conversation import Turn
from memweaver.domain.job import Priority
from memweaver.domain.memory import Memory, Tier
from memweaver.domain.scope import Scope

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """A piece of a list, newest first; `next` continues it, or is `None` at the end."""

    items: Sequence[Item]
    next: int | None


class Store(Protocol):
    """Keeps turns and memories, apart for every scope, sealed where it keeps them on disk.

    Returning from a write means it is durable. A write is done whole or not at all. Whatever a
    scope does not hold is `NotFound`, whether another scope holds it or nobody. Every method may
    raise `BackendError` or `Unreadable`; only further ones are named below.
    """

    @abstractmethod
    async def record(
        self,
        turns: Sequence[Turn],
        *,
        priority: Priority | None = None,
        trace: str | None = None,
    ) -> Sequence[Turn]:
        """Keep `turns`; answer them as kept.

        With a `priority`, each turn that is new leaves a job to reflect it, under its id and due
        from its `recorded_at`, in the same transaction. The job keeps `trace`.

        Keeping a turn again (same id, session, messages and metadata) changes nothing and answers
        the one kept first.

        Raises:
            Conflict: a different turn of that user has one of the ids.
            QueueUnavailable: the turns could be kept, but not their jobs; nothing is kept. Not
                for what ails both: no room, nobody there.
        """
        ...

    @abstractmethod
    async def turn(self, scope: Scope, turn_id: str) -> Turn:
        """Raises `NotFound`."""
        ...

    @abstractmethod
    async def turns(
        self, scope: Scope, *, session: str | None, before: int | None, limit: int
    ) -> Page[Turn]:
        """The turns of a scope, of one session if named, latest recorded first."""
        ...

    @abstractmethod
    async def erase_turn(self, scope: Scope, turn_id: str) -> None:
        """Remove a turn, its job, and all that is derived for searching it. Raises `NotFound`."""
        ...

    @abstractmethod
    async def add(self, memories: Sequence[Memory]) -> Sequence[Memory]:
        """Keep new memories; answer them as kept.

        Keeping a memory again (`says_the_same_as`) changes nothing and answers the one kept
        first. A memory takes the place of the one in its scope that it supersedes, and in the
        core tier of the one with its key: that one is closed at the new one's `known_from`.
        While it is quarantined it takes no place; a revision that is not does then.

        Raises:
            Conflict: a different memory of that user has one of the ids.
        """
        ...

    @abstractmethod
    async def relate(self, memory: Memory) -> Memory:
        """Keep a new relation, worded by `sentence`, unless it is there; answer the one kept.

        It is there if an open one written in exactly its scope, and not quarantined, is worded
        alike and says the `same`. Of several who tell it at once one keeps it.
        """
        ...

    @abstractmethod
    async def memory(self, scope: Scope, memory_id: str) -> Memory:
        """The latest revision, also of one that is shared with the scope. Raises `NotFound`."""
        ...

    @abstractmethod
    async def memories(
        self, scope: Scope, *, tiers: Collection[Tier], before: int | None, limit: int
    ) -> Page[Memory]:
        """The open memories (`known_to` is `None`) of `tiers`, latest added first.

        Those that other AIs share with the scope (`Scope.shared`) are among them.
        """
        ...

    @abstractmethod
    async def attributed(self, scope: Scope, attribute: str) -> Sequence[Memory]:
        """The open memories written in exactly `scope` whose metadata has this `attribute`.

        Latest added first; without those that are quarantined, as the word of these counts less.
        """
        ...

    @abstractmethod
    async def revise(self, memory: Memory) -> None:
        """Keep `memory` as the revision after the latest one, closing that at `known_from`.

        Raises:
            NotFound: the scope has no such memory.
            Conflict: `memory.revision` is not the one after the latest, or the latest is closed.
        """
        ...

    @abstractmethod
    async def erase_memory(
        self, scope: Scope, memory_id: str, *, at: datetime, expected: int | None = None
    ) -> None:
        """Remove every revision and all that is derived for searching it.

        Raises:
            NotFound: the scope has no such memory; one that is only shared with it is another's.
            Conflict: the latest revision is not the `expected` one.
        """
        ...

    @abstractmethod
    async def erase_some(
        self, scope: Scope, *, session: str | None, limit: int, at: datetime
    ) -> int:
        """Remove up to `limit` turns of a session as `erase_turn` does; answer how many.

        Without a session, turns and memories of the whole scope. Nothing is left at 0.
        """
        ...
