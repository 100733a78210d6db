"""The ports of webhooks: where they are kept with how far each is, and what carries to them."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memweaver.domain.event import Told
from memweaver.domain.webhook import GivenUp, Webhook


@dataclass(frozen=True, slots=True)
class Due:
    """Events that a webhook is to be told next, one at least, for whoever has it until `until`.

    `attempts` is how often the first of them was tried in vain.
    """

    webhook: Webhook
    events: Sequence[Told]
    attempts: int
    until: datetime


class WebhookStore(Protocol):
    """Keeps webhooks, address and secret sealed, each with the last event it was told.

    What it was not told yet is in the log of events: nothing more need be written when something
    happens. Gone with the user. Every method may raise `BackendError`.
    """

    @abstractmethod
    async def add(self, webhook: Webhook) -> None:
        """Keep it; it is told what happens from now on.

        Raises `Conflict` if the id is taken, and `TooLarge` if the user has as many as anybody
        may have, however many are added at once.
        """
        ...

    @abstractmethod
    async def webhooks(self, user: str) -> Sequence[Webhook]:
        """Those of `user`, oldest first; one that cannot be opened is among them, `unreadable`."""
        ...

    @abstractmethod
    async def remove(self, user: str, webhook_id: str) -> None:
        """Raises `NotFound`."""
        ...

    @abstractmethod
    async def given_up(self, user: str, webhook_id: str) -> Sequence[GivenUp]:
        """The last `SHOWN` events that it could not be told, latest first. Raises `NotFound`."""
        ...

    @abstractmethod
    async def next(self, *, now: datetime, until: datetime, limit: int) -> Due | None:
        """Whichever has waited longest, with at most `limit` events; nobody else has it `until`.

        Those of a user whose account is disabled wait until it is enabled.
        """
        ...

    @abstractmethod
    async def settle(
        self,
        due: Due,
        *,
        after: int,
        due_at: datetime,
        attempts: int = 0,
        given_up: GivenUp | None = None,
    ) -> None:
        """End the lease: it was told all up to the number `after`, and is next tried at `due_at`.

        `attempts` counts for the event whose number is `after` + 1: if it is forgotten, the next
        one begins anew.
        Changes nothing if somebody else has it by now, or it is gone.
        """
        ...

    @abstractmethod
    async def give_up(self, *, before: datetime, at: datetime, failure: str) -> None:
        """Pass over what happened before then and was not told yet, whoever has it leased.

        What a webhook wants of it is shown among `given_up`: given up `at`, because of `failure`.
        Of one that cannot be opened that is everything.
        """
        ...


class Courier(Protocol):
    """Carries to addresses that users name: never to where only this machine may reach."""

    @abstractmethod
    def check(self, url: str) -> None:
        """Raises `InvalidInput` for an address that cannot be, whatever its name leads to."""
        ...

    @abstractmethod
    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Returns if it was taken. Raises `ReceiverError`."""
        ...
