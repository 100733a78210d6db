"""The port to what requests with an idempotency key were answered."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from memweaver.errors import Conflict, Unfinished


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer as it went out; `None` for a body that is not kept, as it held a secret."""

    status: int
    body: bytes | None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def another() -> Conflict:
    return Conflict("`Idempotency-Key` was given with another request: choose a new one")


def unfinished() -> Unfinished:
    return Unfinished("the same request is being answered just now: ask again in a moment")


class Replies(Protocol):
    """Keeps the replies of each user, sealed, for as long as nobody sweeps them."""

    @abstractmethod
    async def begin(
        self, user: str, key: str, request: bytes, *, now: datetime, stale: datetime
    ) -> Reply | None:
        """The reply to `request` under `key`; `None` means that it is the caller's to make now.

        Of several who begin at once one is told so. What was begun before `stale` and has no reply
        is begun anew: whoever was to make it is taken to be gone.

        Raises:
            Conflict: the key stands for another request.
            Unfinished: the reply is being made.
        """
        ...

    @abstractmethod
    async def keep(self, user: str, key: str, reply: Reply, *, begun: datetime) -> None:
        """Keep the reply to what was begun then.

        Nothing if that is gone, as the user may be, or if it was begun anew by somebody else.
        """
        ...

    @abstractmethod
    async def give_up(self, user: str, key: str, *, begun: datetime) -> None:
        """Forget what was begun then: it came to nothing, and may be asked for anew.

        Nothing if it was begun anew by somebody else, who is still at it or has a reply.
        """
        ...

    @abstractmethod
    async def sweep(self, *, before: datetime) -> int:
        """Remove, of everybody, what was begun before then; answer how many."""
        ...
