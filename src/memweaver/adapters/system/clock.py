"""The time of this machine, and names made of it."""

from datetime import UTC, datetime
from random import getrandbits
from threading import Lock
from time import time_ns
from uuid import UUID

from memweaver.ports.clock import Clock

COUNTER_BITS = 42
"""Bits after the millisecond that count up within it; the 32 beneath are random for each id."""


class SystemClock(Clock):
    """Ids are UUIDs of version 7 (RFC 9562): the millisecond, then a counter, then chance.

    The counter begins somewhere random in the lower half of its range in every millisecond, so
    that other processes do not make the same ids; a fork draws its own. A clock set back does not
    set ids back: they count on from the latest millisecond seen.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._latest = 0

    def now(self) -> datetime:
        return datetime.now(UTC)

    def new_id(self) -> str:
        with self._lock:
            self._latest += 1
            now = time_ns() // 1_000_000
            if now > self._latest >> COUNTER_BITS:
                self._latest = beginning(now)
            place = self._latest
        return str(version_7(place, getrandbits(32)))


def beginning(millisecond: int) -> int:
    """Where counting begins in a millisecond."""
    return millisecond << COUNTER_BITS | getrandbits(COUNTER_BITS - 1)


def version_7(place: int, chance: int) -> UUID:
    """The UUID of a place (48 bits of time, 42 of counter) with 32 bits of chance."""
    time, counter = divmod(place, 1 << COUNTER_BITS)
    high, low = divmod(counter, 1 << 30)
    return UUID(int=time << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low << 32 | chance)
