"""The `Counter` port in the process."""

from datetime import datetime, timedelta

from memweaver.domain.rate import window_of
from memweaver.ports.counter import Counted, Counter

MOST = 100_000
"""Names counted at a time; beyond, those of windows that are over are let go, or else all."""


class InMemoryCounter(Counter):
    def __init__(self) -> None:
        self._counts: dict[tuple[str, timedelta], tuple[int, Counted]] = {}

    async def add(self, name: str, amount: int, window: timedelta, now: datetime) -> Counted:
        number = window_of(now, window)
        known, counted = self._counts.get((name, window), (number, Counted(0, 0)))
        if known < number:
            counted = Counted(counted.now if known == number - 1 else 0, 0)
        counted = Counted(counted.before, max(0, counted.now + amount))
        if len(self._counts) >= MOST:
            self._tidy(now)
        self._counts[name, window] = number, counted
        return counted

    def _tidy(self, now: datetime) -> None:
        """Without this, guessed e-mail addresses would fill the memory."""
        self._counts = {
            (name, window): (number, counted)
            for (name, window), (number, counted) in self._counts.items()
            if number >= window_of(now, window) - 1
        }
        if len(self._counts) >= MOST:
            self._counts = {}
