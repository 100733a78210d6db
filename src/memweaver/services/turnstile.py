"""Turnstile: of one user only some are served side by side, so that nobody crowds others out."""

from asyncio import Lock, Semaphore, get_running_loop, timeout
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

PLACES = 2
"""Enough to keep a small machine busy, and few enough that a neighbour hardly notices them."""
CROWD = 8
"""So many of a user at once, served and waiting, are more than one person asks for."""
REST = 19.0
"""How many times as long as it was taken a crowd's place stays empty, for its neighbours."""
LONGEST_REST = 1.0
"""Seconds: beside and after something slow of theirs a user is not locked out."""
NEAR = 1.0
"""Seconds for which somebody who was here is a neighbour of those who come."""


@dataclass(slots=True)
class Line:
    """Those of one user who are served or wait; the first of those waits at the `door`."""

    places: Semaphore
    door: Lock = field(default_factory=Lock)
    people: int = 0

    @property
    def crowd(self) -> bool:
        return self.people >= CROWD


class Turnstile:
    """Knows of one process only; between several the limits to requests must do.

    Where a crowd of one user's has neighbours who are none, each of the crowd takes all places,
    and they rest after each: what one could have all of is shared. Nobody else's do, or whoever is
    served slowly would be served more slowly still.
    """

    def __init__(self, places: int = PLACES) -> None:
        self._places = places
        self._lines: dict[str, Line] = {}
        self._here: dict[str, float] = {}

    @property
    def crowding(self) -> bool:
        """Whether there is a crowd, and somebody beside who is none of it."""
        return any(map(self._beside_others, self._lines.values()))

    def crowded(self, user: str) -> bool:
        """Whether there is a crowd of this user's."""
        line = self._lines.get(user)
        return line is not None and line.crowd

    @asynccontextmanager
    async def passed(self, user: str) -> AsyncGenerator[None]:
        """Wait behind others of the same user, and hold a place while the body runs."""
        line = self._lines.setdefault(user, Line(Semaphore(self._places)))
        line.people += 1
        try:
            async with self._placed(line):
                self.seen(user)
                yield
        finally:
            line.people -= 1
            if not line.people:
                del self._lines[user]

    def seen(self, user: str) -> None:
        """Note that `user` is here, last of all, and forget who was long ago."""
        now = get_running_loop().time()
        self._here.pop(user, None)
        self._here[user] = now
        while now - self._here[first := next(iter(self._here))] > NEAR:
            del self._here[first]

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
        if not line.crowd:
            return False
        lately = get_running_loop().time() - NEAR
        return any(at >= lately and not self.crowded(user) for user, at in self._here.items())
