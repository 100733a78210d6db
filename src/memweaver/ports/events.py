"""The ports by which others hear what happened: a log that keeps it, a bell that tells of it."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from memweaver.domain.event import Event, Told
from memweaver.domain.scope import Scope


class EventLog(Protocol):
    """Keeps what happened, for a time: names only.

    `Store` and `Queue` write to it in the transaction of what happened: nothing is told that did
    not happen, and nothing that happened is left out. Events of one user become visible in the
    order of their numbers, so whoever has heard up to a number misses nothing by asking for what
    came after it. Of different users this does not hold. A number is never given twice, also not
    when its event is forgotten. Gone with the user.
    """

    @abstractmethod
    async def append(self, events: Sequence[Event]) -> None:
        """Keep what happened to nothing that is kept; of a user who is not there, nothing."""
        ...

    @abstractmethod
    async def since(self, scope: Scope, after: int, limit: int) -> Sequence[Told]:
        """At most `limit` events in `scope` after that number, in their order."""
        ...

    @abstractmethod
    async def latest(self, users: Collection[str]) -> Mapping[str, int]:
        """The number of the last event of each of `users`; nothing for who has none."""
        ...

    @abstractmethod
    async def trim(self, before: datetime) -> int:
        """Forget what happened before then; how many events."""
        ...


class Ears(Protocol):
    @abstractmethod
    async def heard(self, patience: float) -> frozenset[str]:
        """The users of whom something was told since the last time; waits at most `patience`."""
        ...


class Events(Protocol):
    """Says in whose log there is something new, so that nobody must look all the time."""

    @abstractmethod
    async def ring(self, user: str) -> None:
        """Never fails, and never waits for a listener."""
        ...

    @abstractmethod
    def listening(self) -> AbstractContextManager[Ears]:
        """What is rung from now until the body ends."""
        ...
