"""Turnstile: of one user only some are served side by side, so that nobody crowds others out."""

from asyncio import Semaphore
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

PLACES = 2
"""Enough to keep a small machine busy, and few enough that a neighbour hardly notices them."""


@dataclass(slots=True)
class Line:
    """Those of one user who are served or wait."""

    places: Semaphore
    people: int = 0


class Turnstile:
    """Knows of one process only; between several the limits to requests must do."""

    def __init__(self, places: int = PLACES) -> None:
        self._places = places
        self._lines: dict[str, Line] = {}

    @asynccontextmanager
    async def passed(self, user: str) -> AsyncGenerator[None]:
        """Wait behind others of the same user, and hold a place while the body runs."""
        line = self._lines.setdefault(user, Line(Semaphore(self._places)))
        line.people += 1
        try:
            async with line.places:
                yield
        finally:
            line.people -= 1
            if not line.people:
                del self._lines[user]
