"""The port to the sessions a user has named: conversations, each with its turns."""

from abc import abstractmethod
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memweaver.domain.scope import Scope
from memweaver.ports.store import Page


@dataclass(frozen=True, slots=True)
class Session:
    """Its `id` is what `Turn.session` names."""

    scope: Scope
    id: str
    name: str
    created_at: datetime


class Sessions(Protocol):
    """Keeps the sessions of each user, their names sealed. Turns need none to be kept.

    Whatever a scope does not hold is `NotFound`, whether another scope holds it or nobody.
    """

    @abstractmethod
    async def add(self, session: Session) -> None:
        """Raises `Conflict` if the user has a session of that id."""
        ...

    @abstractmethod
    async def session(self, scope: Scope, session_id: str) -> Session:
        """Raises `NotFound`."""
        ...

    @abstractmethod
    async def sessions(self, scope: Scope, *, before: int | None, limit: int) -> Page[Session]:
        """The sessions of a scope, latest added first."""
        ...

    @abstractmethod
    async def rename(self, scope: Scope, session_id: str, name: str) -> Session:
        """Raises `NotFound`."""
        ...

    @abstractmethod
    async def erase(self, scope: Scope, session_id: str) -> None:
        """Know it no longer; its turns stay. Raises `NotFound`."""
        ...
