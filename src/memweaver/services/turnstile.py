"""Turnstile: of one user only some are served side by side, so that nobody crowds others out."""

from asyncio import Semaphore, get_running_loop
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

PLACES = 2
"""Enough to keep a small machine busy, and few enough that a neighbour hardly notices them."""
CROWD = 8
"""So many of a user at once, served and waiting, are more than one person asks for."""
REST = 9.0
"""How many times as long as it was taken a place stays empty, for neighbours to be served."""
LONGEST_REST = 1.0
"""Seconds: after something slow a user is not locked out."""
NEAR = 1.0
"""Seconds for which somebody who was here is a neighbour of those who come."""


@dataclass(slots=True)
class Line:
    """Those of one user who are served or wait."""

    places: Semaphore
    people: int = 0


class Turnstile:
    """Knows of one process only; between several the limits to requests must do.

    Where a crowd of one user's has neighbours who are none, a place rests after each of the crowd:
    what one could have all of is shared. Nobody else's do, or whoever is served slowly would be
    served more slowly still.
    """

    def __init__(self, places: int = PLACES) -> None:
        self._places = places
        self._lines: dict[str, Line] = {}
        self._here: dict[str, float] = {}

    @asynccontextmanager
    async def passed(self, user: str) -> AsyncGenerator[None]:
        """Wait behind others of the same user, and hold a place while the body runs."""
        line = self._lines.setdefault(user, Line(Semaphore(self._places)))
        line.people += 1
        try:
            await line.places.acquire()
            self.seen(user)
            began = get_running_loop().time()
            try:
                yield
            finally:
                self._leaves(line, began)
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

    def _leaves(self, line: Line, began: float) -> None:
        loop = get_running_loop()
        if line.people >= CROWD and not all(map(self._crowded, self._here)):
            rest = min(REST * (loop.time() - began), LONGEST_REST)
            loop.call_later(rest, line.places.release)
        else:
            line.places.release()

    def _crowded(self, user: str) -> bool:
        line = self._lines.get(user)
        return line is not None and line.people >= CROWD
