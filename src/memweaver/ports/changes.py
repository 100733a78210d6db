"""The port by which an index follows a store."""

from abc import abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from memweaver.domain.conversation import Turn
from memweaver.domain.memory import Memory, Vector
from memweaver.domain.search import Ref


@dataclass(frozen=True, slots=True)
class Stamp:
    """How new a user's data is.

    `version` grows with every change. `epoch` differs when the user was destroyed and begun
    anew: then versions of the two do not compare.
    """

    epoch: str
    version: int


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of one record, one for each of its searchable texts, by one model.

    A turn has one text for each message, a memory one.
    """

    ref: Ref
    model: str
    vectors: tuple[Vector, ...]


@dataclass(frozen=True, slots=True)
class Delta:
    """What changed in a range of versions, each list oldest first.

    `memories` holds a memory again when it was closed. A record that changed twice is there once,
    at its latest version. `erased` names records whose every trace must go.
    """

    turns: Sequence[Turn]
    memories: Sequence[Memory]
    vectors: Sequence[Vectors]
    erased: Sequence[Ref]


@dataclass(frozen=True, slots=True)
class Segment:
    """What an index prepared from the versions after `after` up to `upto`, opaque to the store."""

    after: int
    upto: int
    body: bytes


class Changes(Protocol):
    """Tells what changed since a version, and keeps sealed what an index prepared from it."""

    @abstractmethod
    async def stamp(self, user: str) -> Stamp | None:
        """How new `user`'s data is, as last committed by anybody; `None` if there is none.

        Asked before every search, so it must cost far less than one.
        """
        ...

    @abstractmethod
    async def since(self, user: str, after: int, upto: int) -> Delta:
        """What changed with versions in (`after`, `upto`]."""
        ...

    @abstractmethod
    async def records(self, user: str, refs: Collection[Ref]) -> Delta:
        """The records named by `refs` as they are now, with their vectors; others are left out."""
        ...

    @abstractmethod
    async def index_key(self, user: str) -> bytes | None:
        """A secret of `user`'s, for what an index must be able to compare but not to read.

        The same for as long as the user is there, gone with the user's key, `None` of nobody.
        An index never keeps it.
        """
        ...

    @abstractmethod
    async def segments(self, user: str) -> Sequence[Segment]:
        """The segments kept for `user`, by `after`; their ranges do not overlap.

        A segment is gone once a record of its range is erased: its range is then asked for by
        `since`, which tells the records still there.
        """
        ...

    @abstractmethod
    async def keep_segment(self, user: str, seen: Stamp, segment: Segment) -> bool:
        """Keep `segment` in place of all whose range lies within its own.

        `False`, and nothing kept, if `user` changed epoch or a record was erased after `seen`,
        or if the range overlaps a kept one only partly.
        """
        ...
