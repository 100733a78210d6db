"""Turnstile: of one user only some are served side by side, so that nobody crowds others out."""

from asyncio import Lock, Semaphore, get_running_loop, timeout
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import takewhile

PLACES = 2
"""Enough to keep a small machine busy, and few enough that a neighbour hardly notices them."""
CROWD = 8
"""So many of a user at once, or ahead of the pace, are more than one person asks for."""
PACE = 20.0
"""Requests a second of a user: what the limit of a minute comes to, if it is spread evenly."""
REST = 19.0
"""How many times as long as it was taken a crowd's place stays empty, for its neighbours."""
LONGEST_REST = 1.0
"""Seconds: beside and after something slow of theirs a user is not locked out."""
NEAR = 1.0
"""Seconds for which somebody who was here is a neighbour of those who come."""


@dataclass(slots=True)
class Line:
    """Those of one user who are served or wait; the first of those waits at the `door`.

    At the even pace, an `interval` between two, as many as came would have come by `ahead`.
    Whoever is forgotten, as nobody came for a while, is ahead no longer.
    """

    places: Semaphore
    interval: float
    door: Lock = field(default_factory=Lock)
    people: int = 0
    seen: float = float("-inf")
    ahead: float = float("-inf")

    def comes(self, now: float) -> None:
        """One more, but however many came, it is soon forgotten."""
        self.people += 1
        self.ahead = min(max(self.ahead, now) + self.interval, now + 2 * CROWD * self.interval)

    def crowd(self, now: float) -> bool:
        return self.people >= CROWD or self.ahead - now > CROWD * self.interval


class Turnstile:
    """Knows of one process only; between several the limits to requests must do.

    Where a crowd of one user's has neighbours who are none, each of the crowd takes all places,
    and they rest after each: what one could have all of is shared. Nobody else's do, or whoever is
    served slowly would be served more slowly still. A crowd are many at once, or many one after
    the other: a server that keeps up with those has nothing left for others either.
    """

    def __init__(self, places: int = PLACES, pace: float = PACE) -> None:
        self.pace = pace
        self._places = places
        self._lines: dict[str, Line] = {}
        """Of those who are here or near, the last seen last."""

    @property
    def crowding(self) -> bool:
        """Whether there is a crowd, and somebody beside who is none of it."""
        return any(map(self._beside_others, self._lines.values()))

    def crowded(self, user: str) -> bool:
        """Whether there is a crowd of this user's."""
        line = self._lines.get(user)
        return line is not None and line.crowd(get_running_loop().time())

    @asynccontextmanager
    async def passed(self, user: str) -> AsyncGenerator[None]:
        """Wait behind others of the same user, and hold a place while the body runs."""
        line = self.seen(user)
        line.comes(line.seen)
        try:
            async with self._placed(line):
                yield
        finally:
            line.people -= 1
            self.seen(user)

    def seen(self, user: str) -> Line:
        """Note that `user` is here, last of all, and forget who was long ago."""
        now = get_running_loop().time()
        line = self._lines.pop(user, None) or Line(Semaphore(self._places), 1 / self.pace)
        line.seen = now
        self._lines[user] = line
        for other in self._gone(now):
            del self._lines[other]
        return line

    def _gone(self, now: float) -> list[str]:
        """Not those who wait; nor does a place rest in any of these lines, as no rest is longer."""
        long_ago = takewhile(lambda one: now - one[1].seen > NEAR, self._lines.items())
        return [user for user, line in long_ago if not line.people]

    @asynccontextmanager
    async def _placed(self, line: Line) -> AsyncGenerator[None]:
        loop = get_running_loop()
        taken, began = 0, float("inf")
        try:
            async with line.door:
                await line.places.acquire()
                taken = 1
                with suppress(TimeoutError):
                    async with timeout(LONGEST_REST):
                        while taken < self._places and self._beside_others(line):
                            await line.places.acquire()
                            taken += 1
            began = loop.time()
            yield
        finally:
            rest = REST * (loop.time() - began) if self._beside_others(line) else 0
            for _ in range(taken):
                loop.call_later(min(rest, LONGEST_REST), line.places.release)

    def _beside_others(self, line: Line) -> bool:
        now = get_running_loop().time()
        return line.crowd(now) and any(
            now - other.seen <= NEAR and not other.crowd(now) for other in self._lines.values()
        )
