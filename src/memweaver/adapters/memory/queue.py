"""The `Queue` port in the process."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from memweaver.adapters.memory.effects import applied
from memweaver.adapters.memory.lane import Kept, Lane
from memweaver.adapters.memory.state import State
from memweaver.adapters.memory.turns import unchanged
from memweaver.domain.event import Event, EventKind
from memweaver.domain.job import Depth, Failure, Job
from memweaver.domain.job import State as JobState
from memweaver.domain.memory import Memory
from memweaver.domain.scope import Scope, checked_name
from memweaver.errors import ClaimLost, Conflict, NotFound
from memweaver.ports.queue import LONGEST_WAIT, Claim, Effects, Queue
from memweaver.ports.store import Page

LOST = "another worker has these jobs now, or their user is gone: leave them"


class InMemoryQueue(Queue):
    def __init__(self, state: State) -> None:
        self._state = state

    async def claim(
        self,
        *,
        now: datetime,
        lease: timedelta,
        batch: int,
        user: str | None = None,
        longest_wait: timedelta = LONGEST_WAIT,
    ) -> Claim | None:
        ready = {
            name: one.lane
            for name, one in self._state.users.items()
            if user in (None, name) and one.lane.ready(now)
        }
        if not ready:
            return None
        name = first_of(ready, now - longest_wait)
        found = self._state.users[name]
        chosen = found.lane.claim(now, lease, batch)
        jobs = tuple(one.job for one in chosen)
        staged = dict(found.lane.staged.get(jobs[0].id, {}))
        return Claim(jobs[0].scope, found.epoch, found.lane.fence, jobs, staged)

    async def heartbeat(self, claim: Claim, *, until: datetime) -> None:
        self._held(claim).leased_until = until

    async def stage(self, claim: Claim, name: str, result: bytes) -> None:
        self._held(claim).stage(claim.jobs, checked_name("name", name), result)

    async def settle(
        self, claim: Claim, effects: Effects, *, now: datetime, dead: Failure | None = None
    ) -> Sequence[Memory]:
        self._held(claim)
        added = applied(self._state, claim.scope, effects, now)
        lane = self._held(claim)
        lane.unstage(claim.jobs[0].id)
        for one in lane.named(claim.jobs):
            one.end(now, dead)
        lane.leased_until = None
        self._tell(claim, EventKind.JOB_DEAD if dead else EventKind.JOB_DONE, now)
        return added

    async def fail(
        self,
        claim: Claim,
        failure: Failure,
        *,
        now: datetime,
        retry_at: datetime | None,
        apart: bool = False,
    ) -> None:
        lane = self._held(claim)
        if apart:
            lane.unstage(claim.jobs[0].id)
        for one in lane.named(claim.jobs):
            if retry_at is None:
                one.end(now, failure)
            else:
                one.rest(retry_at, failure)
        lane.leased_until = None
        self._tell(claim, EventKind.JOB_DEAD if retry_at is None else EventKind.JOB_RETRIED, now)

    async def postpone(
        self, claim: Claim, failure: Failure, *, now: datetime, retry_at: datetime
    ) -> None:
        lane = self._held(claim)
        for one in lane.named(claim.jobs):
            one.wait_out(now, retry_at, failure)
        lane.leased_until = None
        self._tell(claim, EventKind.JOB_RETRIED, now)

    async def apply(
        self, jobs: Sequence[Job], effects: Effects, *, now: datetime
    ) -> Sequence[Memory]:
        if not unchanged(self._state, jobs):
            raise ClaimLost(LOST)
        return applied(self._state, jobs[0].scope, effects, now)

    async def release(self, claim: Claim) -> None:
        self._held(claim).release()

    async def job(self, scope: Scope, job_id: str) -> Job:
        found = self._kept(scope.user, job_id).job
        if not scope.holds(found.scope):
            raise NotFound(f"there is no job {job_id!r}")
        return found

    async def jobs(
        self, *, states: Sequence[JobState], user: str | None, before: int | None, limit: int
    ) -> Page[Job]:
        older = [
            one
            for one in self._every(user)
            if one.job.state in states and (before is None or one.number < before)
        ]
        latest = sorted(older, key=lambda one: -one.number)
        shown = latest[:limit]
        following = shown[-1].number if len(latest) > limit else None
        return Page([one.job for one in shown], following)

    async def dead(self, user: str, job_ids: Collection[str]) -> frozenset[str]:
        dead = {one.job.id for one in self._every(user) if one.job.state is JobState.DEAD}
        return frozenset(dead.intersection(job_ids))

    async def discard(self, user: str, job_id: str) -> None:
        self._dead(user, job_id)
        self._state.users[user].lane.remove(job_id)

    async def retry(self, user: str, job_id: str, *, now: datetime) -> Job:
        kept = self._dead(user, job_id)
        self._part(self._state.users[user].lane, kept)
        return kept.anew(now)

    async def retry_all(self, user: str, *, now: datetime) -> Sequence[Job]:
        dead = [one for one in self._every(user) if one.job.state is JobState.DEAD]
        return [one.anew(now) for one in dead]

    async def depth(self) -> Depth:
        every = [one.job.state for one in self._every(None)]
        running, waiting = (every.count(state) for state in (JobState.RUNNING, JobState.WAITING))
        begun = ((one.number, one.job.created_at) for one in self._every(None) if one.open)
        _, oldest = min(begun, default=(0, None))
        return Depth(waiting, running, every.count(JobState.DEAD), oldest)

    async def sweep(self, *, before: datetime) -> int:
        swept = 0
        for user in self._state.users.values():
            for one in list(user.lane.jobs.values()):
                ended = one.job.settled_at
                if one.job.state is JobState.DONE and ended is not None and ended < before:
                    del user.lane.jobs[one.job.id]
                    swept += 1
        return swept

    def _tell(self, claim: Claim, kind: EventKind, now: datetime) -> None:
        for job in claim.jobs:
            self._state.tell(Event(kind, job.scope, job.id, now))

    def _held(self, claim: Claim) -> Lane:
        user = self._state.users.get(claim.scope.user)
        if user is None or user.epoch != claim.epoch or not user.lane.held(claim.fence):
            raise ClaimLost(LOST)
        return user.lane

    def _kept(self, user: str, job_id: str) -> Kept:
        found = self._state.users.get(user)
        kept = found and found.lane.jobs.get(job_id)
        if not kept:
            raise NotFound(f"there is no job {job_id!r}")
        return kept

    def _dead(self, user: str, job_id: str) -> Kept:
        kept = self._kept(user, job_id)
        if kept.job.state is not JobState.DEAD:
            raise Conflict(f"the job {job_id!r} is {kept.job.state}, not dead")
        return kept

    def _part(self, lane: Lane, kept: Kept) -> None:
        """What was staged for several is of no use to one of them."""
        if sum(one.batch == kept.batch for one in lane.jobs.values()) > 1:
            lane.unstage(kept.batch)

    def _every(self, user: str | None) -> Iterator[Kept]:
        for name, one in self._state.users.items():
            if user in (None, name):
                yield from one.lane.jobs.values()


def first_of(ready: Mapping[str, Lane], long_ago: datetime) -> str:
    """Whoever has waited since then or longer, or else by priority."""
    waiting = min((lane.waits_since(), name) for name, lane in ready.items())
    if waiting[0] <= long_ago:
        return waiting[1]
    *_, name = min((-lane.priority, lane.served_at, name) for name, lane in ready.items())
    return name
