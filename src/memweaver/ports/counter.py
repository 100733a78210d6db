"""The port to counting what happens within a stretch of time."""

from abc import abstractmethod
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Counted:
    """What was counted in the window before, and so far in the present one."""

    before: int
    now: int


class Counter(Protocol):
    """Counts under names. It may forget at any time: then somebody may do a little more."""

    @abstractmethod
    async def add(self, name: str, amount: int, window: timedelta, now: datetime) -> Counted:
        """Count `amount` more, or less, in the window that `now` is in.

        Windows follow each other without a gap, each a multiple of `window` after the year 1970.
        Raises `BackendUnavailable` if what counts is away.
        """
        ...
