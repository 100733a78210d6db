"""A shift: claim, reflect with a sign of life now and then, and never keep what is not ours."""

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta

from memweaver.domain.job import State
from memweaver.domain.scope import Scope
from memweaver.errors import BackendError, ClaimLost, MemweaverError
from memweaver.ports.clock import Clock
from memweaver.ports.queue import LONGEST_WAIT, Claim, Queue
from memweaver.services.reflect.reflect import Outcome, Reflect

log = logging.getLogger(__name__)

BEATS = 3
"""Signs of life within one lease, so that one may be late."""
GLANCE = 0.05
"""Seconds between two looks at a job that somebody else is at."""


@dataclass(frozen=True, slots=True)
class Shift:
    queue: Queue
    reflect: Reflect
    clock: Clock
    lease: timedelta = timedelta(seconds=10)
    batch: int = 10
    patience: float = 300.0
    longest_wait: timedelta = LONGEST_WAIT

    async def __call__(self, user: str | None = None) -> Outcome | None:
        """Do the next piece of work, of `user` if named; `None` if there is none.

        Who is cancelled gives it back. Raises `BackendError`.
        """
        claim = await self.claim(user)
        return None if claim is None else await self.see_to(claim)

    async def claim(self, user: str | None = None) -> Claim | None:
        """The next piece of work, of `user` if named; whoever has it sees to it."""
        return await self.queue.claim(
            now=self.clock.now(),
            lease=self.lease,
            batch=self.batch,
            user=user,
            longest_wait=self.longest_wait,
        )

    async def see_to(self, claim: Claim) -> Outcome:
        """Who is cancelled gives it back. Raises `BackendError`."""
        try:
            outcome = await self._alive(claim)
        except asyncio.CancelledError:
            await asyncio.shield(self._give_back(claim))
            raise
        if outcome is Outcome.DONE:
            await self.reflect.sum_up(claim)
        return outcome

    async def promptly(self, scope: Scope, job_id: str) -> State:
        """See to it that a job is reflected upon now; how it ended, or how far it came.

        Nothing of it ever fails the caller: what is not done now is done in the background.
        """
        state = State.WAITING
        try:
            async with asyncio.timeout(self.patience):
                while (state := (await self.queue.job(scope, job_id)).state) in UNSETTLED:
                    if await self(scope.user) is None:
                        if not await self._anybody_at(scope.user):
                            break
                        await asyncio.sleep(GLANCE)
        except (MemweaverError, TimeoutError) as error:
            log.warning("reflection goes on in the background: %s", type(error).__name__)
        return state

    async def _anybody_at(self, user: str) -> bool:
        running = await self.queue.jobs(states=[State.RUNNING], user=user, before=None, limit=1)
        return bool(running.items)

    async def _alive(self, claim: Claim) -> Outcome:
        """Reflect; if the lease is lost meanwhile, stop at once."""
        loop = asyncio.get_running_loop()
        reflecting = loop.create_task(self.reflect(claim))
        beating = loop.create_task(self._beat(claim))
        try:
            await asyncio.wait([reflecting, beating], return_when=asyncio.FIRST_COMPLETED)
            return reflecting.result() if reflecting.done() else Outcome.LOST
        finally:
            for task in (reflecting, beating):
                task.cancel()
            await asyncio.wait([reflecting, beating])

    async def _beat(self, claim: Claim) -> None:
        """Give signs of life until the claim is lost."""
        while True:
            await asyncio.sleep(self.lease.total_seconds() / BEATS)
            try:
                await self.queue.heartbeat(claim, until=self.clock.now() + self.lease)
            except ClaimLost:
                return
            except BackendError as error:
                log.warning("no sign of life could be given: %s", error.code)

    async def _give_back(self, claim: Claim) -> None:
        try:
            await self.queue.release(claim)
        except ClaimLost:
            return
        except BackendError as error:
            log.warning("a job waits for its lease to run out: %s", error.code)


UNSETTLED = (State.WAITING, State.RUNNING)
