"""What happened, told to whoever listens: names, never contents."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from memweaver.domain.memory import Tier
from memweaver.domain.scope import Scope
from memweaver.errors import InvalidInput

LARGEST = 2**63 - 1
LATEST = 253_402_300_799
"""The last second of the year 9999."""


class EventKind(StrEnum):
    TURN_RECORDED = "turn.recorded"
    MEMORY_ADDED = "memory.added"
    MEMORY_REVISED = "memory.revised"
    MEMORY_MOVED = "memory.moved"
    MEMORY_CLOSED = "memory.closed"
    MEMORY_ERASED = "memory.erased"
    JOB_DONE = "job.done"
    JOB_RETRIED = "job.retried"
    JOB_DEAD = "job.dead"


@dataclass(frozen=True, slots=True)
class Event:
    """`id` names the turn, memory or job it happened to; `tier` is where a memory is then."""

    kind: EventKind
    scope: Scope
    id: str
    at: datetime
    tier: Tier | None = None

    def concerns(self, scope: Scope) -> bool:
        """As for every read: without an AI, a scope sees all of the user's."""
        return scope.holds(self.scope)


@dataclass(frozen=True, slots=True)
class Told:
    """An event at its place in the log: those of one user come in the order of their numbers."""

    number: int
    event: Event

    @property
    def cursor(self) -> "Cursor":
        return Cursor(self.number, self.event.at)


@dataclass(frozen=True, slots=True)
class Cursor:
    """Up to where somebody has heard, and when that was: written as `number.seconds`."""

    number: int
    at: datetime

    def __str__(self) -> str:
        return f"{self.number}.{int(self.at.timestamp())}"

    def too_old(self, now: datetime, kept: timedelta) -> bool:
        """Whether what came after it may be forgotten by now."""
        return now - self.at >= kept


def cursor_from(text: str) -> Cursor:
    """Raises `InvalidInput` for what is none."""
    number, _, seconds = text.partition(".")
    if not (plain(number) and plain(seconds) and int(number) <= LARGEST and int(seconds) <= LATEST):
        raise InvalidInput("`cursor` must be one that was given out here")
    return Cursor(int(number), datetime.fromtimestamp(int(seconds), UTC))


def plain(digits: str) -> bool:
    return digits.isascii() and digits.isdigit() and len(digits) < len(str(LARGEST)) + 1
