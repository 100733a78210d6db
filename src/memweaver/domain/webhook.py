"""Webhooks: an address that is told what happens, and how it knows that we are telling."""

import hmac
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256

from memweaver.domain.event import Event, EventKind, Told
from memweaver.domain.scope import Scope
from memweaver.errors import TooLarge

MOST = 20
"""Webhooks of one user."""
SHOWN = 100
"""Events given up on that are kept of one webhook, the latest."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Webhook:
    """Without `kinds` it is told everything in `scope`.

    Of one that is `unreadable` nobody can tell address, secret or kinds any more.
    """

    id: str
    scope: Scope
    url: str
    secret: str = field(repr=False)
    created_at: datetime
    kinds: frozenset[EventKind] = frozenset()
    unreadable: bool = False

    def wants(self, event: Event) -> bool:
        return not self.kinds or event.kind in self.kinds


@dataclass(frozen=True, slots=True)
class GivenUp:
    """An event that a webhook could not be told, and why."""

    told: Told
    attempts: int
    at: datetime
    failure: str


def refuse_another(count: int) -> None:
    """For who has `count` already. Raises `TooLarge`."""
    if count >= MOST:
        raise TooLarge(f"there are {MOST} webhooks already: remove one first")


def pause_after(attempts: int) -> timedelta:
    """How long to wait after so many tries: each time twice as long."""
    doublings: int = min(attempts - 1, 20)
    return min(FIRST_PAUSE * (1 << doublings), LONGEST_PAUSE)


def signature(secret: str, seconds: int, body: bytes) -> str:
    """What stands in `Memweaver-Signature`: when it was sent, and what only we can have made."""
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, sha256).hexdigest()
    return f"t={seconds},v1={signed}"
