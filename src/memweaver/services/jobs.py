"""Jobs: how far the reflection of turns is, and another chance for those that are dead."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from memweaver.domain.job import Depth, Job, State
from memweaver.domain.limits import Limits
from memweaver.domain.scope import Scope, checked_name
from memweaver.ports.clock import Clock
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.queue import Queue
from memweaver.ports.store import Page


@dataclass(frozen=True, slots=True)
class Jobs:
    queue: Queue
    doorbell: Doorbell
    clock: Clock
    limits: Limits

    async def job(self, scope: Scope, job_id: str) -> Job:
        """Raises `NotFound`, also for another's."""
        return await self.queue.job(scope, job_id)

    async def jobs(
        self,
        *,
        states: Sequence[State] = tuple(State),
        user: str | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> Page[Job]:
        """Jobs of all users or one, latest first."""
        self.limits.check_page(limit, before)
        if user is not None:
            checked_name("user", user)
        return await self.queue.jobs(states=states, user=user, before=before, limit=limit)

    async def depth(self) -> Depth:
        return await self.queue.depth()

    async def retry(self, user: str, job_id: str) -> Job:
        """Let a dead job wait anew. Raises `NotFound`; `Conflict` if it is not dead."""
        job = await self.queue.retry(checked_name("user", user), job_id, now=self.clock.now())
        await self.doorbell.ring([job])
        return job

    async def discard(self, user: str, job_id: str) -> None:
        """Forget a dead job; its turn stays. Raises `NotFound`; `Conflict` if it is not dead."""
        await self.queue.discard(checked_name("user", user), job_id)

    async def retry_dead(self, user: str | None = None) -> AsyncGenerator[Job]:
        """Let every dead job wait anew, of all users or one; each user's at once, oldest first."""
        users = await self._users_with_dead() if user is None else [checked_name("user", user)]
        for one in users:
            retried = await self.queue.retry_all(one, now=self.clock.now())
            if retried:
                await self.doorbell.ring(retried)
            for job in retried:
                yield job

    async def _users_with_dead(self) -> Sequence[str]:
        users: dict[str, None] = {}
        before: int | None = None
        while True:
            page = await self.jobs(states=[State.DEAD], before=before, limit=self.limits.page)
            users |= dict.fromkeys(job.scope.user for job in page.items)
            if (before := page.next) is None:
                return list(users)
