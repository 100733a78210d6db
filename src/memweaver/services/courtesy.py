"""Courtesy: what can wait lets those go first who wait for an answer."""

from asyncio import Event, get_running_loop, sleep, timeout
from collections.abc import Generator
from contextlib import contextmanager, suppress

CALM = 0.05
"""Seconds without anybody after which it counts as calm: one who is answered soon asks again."""
LONGEST = 2.0
"""Seconds that work waits at the longest, so that it is done on a busy day as well."""


class Courtesy:
    """Knows within one process whether somebody is being served.

    Served is who waits for memory itself: for a recall, or until a turn is kept. Who waits for a
    model elsewhere is not, and so a slow model holds up nobody's background.
    """

    def __init__(self, calm: float = CALM, longest: float = LONGEST) -> None:
        self._calm = calm
        self._longest = longest
        self._served = 0
        self._left = float("-inf")
        self._nobody = Event()
        self._nobody.set()

    @contextmanager
    def serving(self) -> Generator[None]:
        """Somebody waits while the body runs."""
        self._served += 1
        self._nobody.clear()
        try:
            yield
        finally:
            self._served -= 1
            self._left = get_running_loop().time()
            if not self._served:
                self._nobody.set()

    async def calm(self) -> None:
        """Return once nobody is served and nobody was a moment ago; in any case before long.

        For a piece of work that is short, before each: the next one asks again.
        """
        with suppress(TimeoutError):
            async with timeout(self._longest):
                await self._nobody.wait()
                while (rest := self._rest()) > 0:
                    await sleep(rest)
                    await self._nobody.wait()

    def _rest(self) -> float:
        """Seconds until it is calm, if nobody comes."""
        return self._left + self._calm - get_running_loop().time()
