"""Maintain: the background work: embed what was written, tidy the index, sweep what is old."""

import logging
from asyncio import Event, sleep, timeout
from collections.abc import Awaitable, Callable

from memweaver.errors import MemweaverError
from memweaver.ports.index import Index
from memweaver.services.courtesy import Courtesy
from memweaver.services.embed import Embed

log = logging.getLogger(__name__)

IDLE = 30.0
"""Seconds after which to look for work of other processes although nobody woke us."""
BACKLOG = 100
"""Records waiting for a vector beyond which it is worth a line."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
"""Seconds to wait after a failure, doubled up to the longest."""


class Maintain:
    def __init__(
        self,
        embed: Embed,
        index: Index,
        sweep: Callable[[], Awaitable[None]],
        courtesy: Courtesy,
    ) -> None:
        self._embed = embed
        self._index = index
        self._sweep = sweep
        self._courtesy = courtesy
        self._woken = Event()
        self._former = float("-inf")
        self.trouble: str | None = None
        """The code of what keeps the work from being done at the moment."""

    def wake(self) -> None:
        """Say that there is something to do."""
        self._woken.set()

    async def run(self) -> None:
        """Work until cancelled. What fails is said, waits, and is tried again."""
        pause, begun = FIRST_PAUSE, False
        while True:
            self._woken.clear()
            try:
                if not begun:
                    await self._say_what_waits()
                    begun = True
                await self.settled_in_peace()
                await self._sweep()
                pause, self.trouble = FIRST_PAUSE, None
                await self._rest(IDLE)
            except MemweaverError as error:
                log.warning("will try again in %.1f s: %s", pause, error)
                self.trouble = error.code
            except Exception:  # the last resort of a loop that nobody restarts
                log.exception("will try again in %.1f s", pause)
                self.trouble = MemweaverError.code
            if self.trouble:
                # Not to be woken: with a model away, every record would ask for it once more.
                await sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def settled(self) -> None:
        """Do all that writes left to do, without a rest. Raises `ModelError`, `BackendError`."""
        await self._embed.settled()
        await self._index.maintain()

    async def settled_in_peace(self) -> None:
        """The same, but whoever waits for memory goes first."""
        self._former = await self._courtesy.calm(self._former)
        while await self._embed():
            self._former = await self._courtesy.calm(self._former)
        await self._courtesy.gap()
        await self._index.maintain()

    async def _say_what_waits(self) -> None:
        """A backlog, after a change of the model above all, is not done in silence."""
        progress = await self._embed.progress()
        if (waiting := progress.total - progress.embedded) > BACKLOG:
            log.info(
                "%d of %d records have no vector by %s yet: they are embedded in the background "
                "and found by words until then (`memweaver embed status` shows how far it is)",
                waiting,
                progress.total,
                self._embed.model,
            )

    async def _rest(self, seconds: float) -> None:
        try:
            async with timeout(seconds):
                await self._woken.wait()
        except TimeoutError:
            return
