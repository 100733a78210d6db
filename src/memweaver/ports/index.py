"""The ports to search."""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import datetime
from enum import Enum, auto
from typing import Protocol

from memweaver.domain.memory import Vector
from memweaver.domain.question import Question
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter, Hit


class IndexCapability(Enum):
    """What an index may, but need not, be able to do."""

    EXACT = auto()
    """Every record is scored; the best are the best."""
    SEALED = auto()
    """Nothing it keeps on disk can be read without the user's key, vectors included."""


class Shard(Protocol):
    """One scope's records as they were when it was opened. Cheap to open again."""

    @property
    @abstractmethod
    def people(self) -> Sequence[str]:
        """The names of those who speak in it, without the user and the assistant."""
        ...

    @abstractmethod
    async def search(
        self,
        question: Question,
        vector: Vector | None,
        *,
        now: datetime,
        where: Filter,
        limit: int,
    ) -> Sequence[Hit]:
        """The best records for `question`, best first, at most `limit`.

        Without a `vector` by the current model, and for records without one, words and the rest
        of the recipe decide. Nothing outside the scope and `where` is returned.
        """
        ...

    @abstractmethod
    async def nearest(
        self, vector: Vector, *, where: Filter, limit: int, own: bool = False
    ) -> Sequence[Hit]:
        """The records whose meaning alone is nearest to `vector`, nearest first.

        Only those embedded by the current model; `score` is their cosine, or 0 if that is less.
        Of its `own` are only those written in exactly its scope: where that names no AI, by none.
        """
        ...


class Index(Protocol):
    """Finds a user's records. Follows the store: what is committed is found at once.

    A memory that is quarantined is not found, whatever is asked.
    """

    @property
    @abstractmethod
    def capabilities(self) -> frozenset[IndexCapability]: ...

    @abstractmethod
    async def open(self, scope: Scope, *, since: float | None = None) -> Shard:
        """The shard of `scope`, as new as the store. Raises `BackendError`, `Unreadable`.

        Who waited for something in between says `since` when, by `perf_counter`: then it may be
        as the store was at some later moment, and many who ask at once need not look each.
        """
        ...

    @abstractmethod
    def people(self, scope: Scope) -> Sequence[str]:
        """Who spoke in `scope` when it was last opened, as far as that is at hand.

        For whoever must know it roughly and at once; `Shard.people` is right.
        """
        ...

    @abstractmethod
    async def erased(self, user: str) -> None:
        """Something of `user` was erased, or all: keep no trace of it. Raises `BackendError`."""
        ...

    @abstractmethod
    async def maintain(self) -> None:
        """Do what makes later opening fast. May be called at any time, or never."""
        ...
