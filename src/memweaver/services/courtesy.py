"""Courtesy: what can wait lets those go first who wait for an answer."""

from asyncio import Event, Lock, get_running_loop, sleep, timeout
from collections import Counter
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress

from memweaver.services.turnstile import Turnstile

CALM = 0.05
"""Seconds without anybody after which it counts as calm: one who is answered soon asks again."""
LONGEST = 2.0
"""Seconds that work waits at the longest, so that it is done on a busy day as well."""
MOMENT = 0.1
"""Seconds that a step within something waits at the longest."""
BRIEF = 0.02
"""Seconds that one of many steps waits at the longest: few answers take as long."""
SPELL = 1.0
"""Seconds from one piece of work to the next beside a crowd."""


class Courtesy:
    """Knows within one process whether somebody is being served, and whether a crowd is there.

    Served is who waits for memory itself: for a recall, or until a turn is kept. Who waits for a
    model elsewhere is not, and so a slow model holds up nobody's background.
    """

    def __init__(
        self, turnstile: Turnstile | None = None, calm: float = CALM, longest: float = LONGEST
    ) -> None:
        self.turnstile = turnstile or Turnstile()
        self._calm = calm
        self._longest = longest
        self._served = Counter[str]()
        self._left = float("-inf")
        self._nobody, self._one_leaves = Event(), Event()
        self._nobody.set()
        self._stepping = Lock()

    @property
    def crowding(self) -> bool:
        """Whether one user's many are beside others."""
        return self.turnstile.crowding

    @contextmanager
    def serving(self, user: str) -> Generator[None]:
        """One of this user's waits while the body runs."""
        self._served[user] += 1
        self._nobody.clear()
        try:
            yield
        finally:
            self._leaves(user)

    async def others_first(self, user: str) -> None:
        """Between two steps: one of a crowd lets those go first who are served and of none."""
        if not self._waits(user):
            return
        with suppress(TimeoutError):
            async with timeout(MOMENT):
                while self._waits(user):
                    await self._one_leaves.wait()

    async def calm(self, former: float = float("-inf")) -> float:
        """Return once nobody is served and nobody was a moment ago; in any case before long.

        For a piece of work that is short, before each. The next one tells what it was answered
        for the `former` one: beside a crowd it waits until more has come together, as a few large
        pieces are noticed less than many small ones.
        """
        loop = get_running_loop()
        if self.crowding and (rest := former + SPELL - loop.time()) > 0:
            await sleep(rest)
        try:
            async with timeout(self._longest):
                await self._nobody.wait()
                while (rest := self._left + self._calm - loop.time()) > 0:
                    await sleep(rest)
                    await self._nobody.wait()
        except TimeoutError:
            await self.gap()
        return loop.time()

    @asynccontextmanager
    async def step(self) -> AsyncGenerator[None]:
        """Beside a crowd, of all background work one step at a time, once nobody is served."""
        if not self.crowding:
            yield
            return
        async with self._stepping:
            await self._nobody_served(BRIEF)
            yield

    async def gap(self) -> None:
        """Return once nobody is served, or before long: for a step within a piece of work."""
        await self._nobody_served(MOMENT)

    async def _nobody_served(self, longest: float) -> None:
        with suppress(TimeoutError):
            async with timeout(longest):
                await self._nobody.wait()

    def _waits(self, user: str) -> bool:
        crowded = self.turnstile.crowded
        return crowded(user) and not all(map(crowded, self._served))

    def _leaves(self, user: str) -> None:
        self._left = get_running_loop().time()
        self._served[user] -= 1
        if not self._served[user]:
            del self._served[user]
        if not self._served:
            self._nobody.set()
        self._one_leaves.set()
        self._one_leaves = Event()
