"""The worker: several shifts side by side, until told to stop."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from memweaver.errors import BackendError, MemweaverError
from memweaver.ports.clock import Clock
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.queue import Claim, Queue
from memweaver.services.courtesy import Courtesy
from memweaver.services.reflect.shift import Shift

log = logging.getLogger(__name__)

GRACE = 8.0
"""Seconds that work which was begun may still take once told to stop."""
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0
"""Seconds to wait when the database does not answer, doubled up to the longest."""
AT_ONCE = 0.05
"""Seconds within which the others of a worker look, where one was let go to look."""
SWEEPING = 3600.0
"""Seconds between two looks for jobs that nobody will ask for any more."""


@dataclass(slots=True)
class Worker:
    shift: Shift
    queue: Queue
    doorbell: Doorbell
    clock: Clock
    courtesy: Courtesy
    shifts: int
    poll: float
    keep: timedelta
    _stop: asyncio.Event = field(default_factory=asyncio.Event)
    _rung: asyncio.Condition = field(default_factory=asyncio.Condition)
    _rings: int = 0
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _looked: float = float("-inf")

    async def run(self) -> None:
        """Work until told to stop; whoever is at something then gets a while to finish it."""
        async with asyncio.TaskGroup() as tasks:
            helpers = [tasks.create_task(self._listen()), tasks.create_task(self._sweep())]
            shifts = [tasks.create_task(self._work()) for _ in range(self.shifts)]
            await self._stop.wait()
            for helper in helpers:
                helper.cancel()
            await self._wake()
            _, late = await asyncio.wait(shifts, timeout=GRACE)
            for task in late:
                task.cancel()

    def stop(self) -> None:
        self._stop.set()

    async def _work(self) -> None:
        pause = FIRST_PAUSE
        while not self._stop.is_set():
            try:
                if claim := await self._next():
                    await self.shift.see_to(claim)
                    await self._wake()  # what came meanwhile was looked for in vain
                pause = FIRST_PAUSE
            except Exception as error:  # noqa: BLE001 - nobody restarts a worker that has ended
                code = error.code if isinstance(error, MemweaverError) else type(error).__name__
                log.warning("will look for work again in %.1f s: %s", pause, code)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stop.wait(), pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    async def _next(self) -> Claim | None:
        """The next piece of work, or `None` after a rest.

        One looks at a time: while there is nothing for one, there is nothing for the others. If
        there was, they look at once, and do not wait each by itself until it is calm.
        """
        async with self._looking:
            if asyncio.get_running_loop().time() - self._looked > AT_ONCE:
                self._looked = await self.courtesy.calm(self._looked)
            if self._stop.is_set():
                return None
            heard = self._rings
            async with self.courtesy.step():
                claim = await self.shift.claim()
            if claim is None:
                await self._rest(heard)
            return claim

    async def _listen(self) -> None:
        """Whether the bell rang or not, somebody looks: it may not have been heard."""
        while True:
            await self.doorbell.heard(self.poll)
            await self._wake()

    async def _sweep(self) -> None:
        while True:
            with suppress(BackendError):
                await self.queue.sweep(before=self.clock.now() - self.keep)
            await asyncio.sleep(SWEEPING)

    async def _wake(self) -> None:
        async with self._rung:
            self._rings += 1
            self._rung.notify_all()

    async def _rest(self, heard: int) -> None:
        """Until it rings again; not at all if it rang since `heard` was counted."""
        async with self._rung:
            await self._rung.wait_for(lambda: self._rings != heard or self._stop.is_set())
