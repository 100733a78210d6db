"""The port to where working memory is at hand."""

from abc import abstractmethod
from typing import Protocol

from memweaver.domain.scope import Scope
from memweaver.domain.working import Window


class Windows(Protocol):
    """Keeps the window of each session, sealed wherever it leaves this process.

    It is a convenience: everything in it can be made again from the turns, so it may forget at
    any time. Every method may raise `BackendError`.
    """

    @abstractmethod
    async def window(self, scope: Scope, session: str) -> Window | None:
        """The window of a session, if it is at hand."""
        ...

    @abstractmethod
    async def keep(self, scope: Scope, session: str, window: Window) -> None:
        """Keep it in place of the one before.

        Where the turns are at hand too, one with a turn that was erased meanwhile is not kept.
        """
        ...

    @abstractmethod
    async def forget(self, user: str) -> None:
        """Keep nothing of `user` any longer."""
        ...
