"""How much of something within a stretch of time is too much."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Allowance:
    """`most` within any `window`; 0 sets no limit."""

    most: int
    window: timedelta

    def exceeded(self, before: int, now: int, at: datetime) -> bool:
        """Whether it is too much, if the former window's was spread evenly over it."""
        return now + before * (1 - self._share(at)) > self.most

    @property
    def wait(self) -> float:
        """Seconds after which it is worth trying again: a tenth of the window."""
        return self.window / timedelta(seconds=10)

    def _share(self, at: datetime) -> float:
        """How much of the present window is over, from 0 to 1."""
        return ((at - EPOCH) % self.window) / self.window


def window_of(at: datetime, window: timedelta) -> int:
    """The number of the window that `at` is in."""
    return (at - EPOCH) // window
