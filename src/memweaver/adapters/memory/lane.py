"""A user's jobs in the process, in their order, and the one claim there may be on them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import takewhile

from memweaver.domain.job import Failure, Job, State
from memweaver.ports.queue import AHEAD

LONG_AGO = datetime.min.replace(tzinfo=UTC)


@dataclass(slots=True)
class Kept:
    """A job; `number` orders those of everybody, `batch` is the first it was staged with."""

    number: int
    job: Job
    batch: str | None = None

    @property
    def open(self) -> bool:
        return self.job.settled_at is None

    def wait(self, *, attempts: int = 0) -> None:
        """Let it wait as before, `attempts` taken back."""
        grown = self.job.attempts - attempts
        self.job = replace(self.job, state=State.WAITING, attempts=grown)

    def run(self) -> None:
        self.job = replace(self.job, state=State.RUNNING, attempts=self.job.attempts + 1)

    def end(self, now: datetime, failure: Failure | None) -> None:
        failed = failure is not None
        self.job = replace(
            self.job,
            state=State.DEAD if failed else State.DONE,
            failures=self.job.failures + failed,
            settled_at=now,
            failure=failure,
            away_since=None,
        )

    def rest(self, until: datetime, failure: Failure) -> None:
        failures = self.job.failures + 1
        waiting = replace(self.job, state=State.WAITING, failures=failures, failure=failure)
        self.job = replace(waiting, due_at=until, away_since=None)

    def wait_out(self, now: datetime, until: datetime, failure: Failure) -> None:
        """Rest as if it had not been begun."""
        self.wait(attempts=1)
        since = self.job.away_since or now
        self.job = replace(self.job, due_at=until, failure=failure, away_since=since)

    def anew(self, now: datetime) -> Job:
        """Let it wait as if it were new."""
        fresh = replace(self.job, state=State.WAITING, attempts=0, failures=0, failure=None)
        self.job = replace(fresh, settled_at=None, due_at=now, away_since=None)
        return self.job


@dataclass(slots=True)
class Lane:
    fence: int = 0
    leased_until: datetime | None = None
    served_at: datetime = LONG_AGO
    served_before: datetime = LONG_AGO
    jobs: dict[str, Kept] = field(default_factory=dict[str, Kept])
    staged: dict[str, dict[str, bytes]] = field(default_factory=dict[str, dict[str, bytes]])

    @property
    def open(self) -> Sequence[Kept]:
        return [one for one in self.jobs.values() if one.open]

    @property
    def priority(self) -> int:
        return max(one.job.priority for one in self.open[:AHEAD])

    def ready(self, now: datetime) -> bool:
        leased = self.leased_until is not None and self.leased_until > now
        return not leased and any(one.job.due_at <= now for one in self.open[:1])

    def waits_since(self) -> datetime:
        """Since when it could have been served, and was not."""
        return max(self.open[0].job.due_at, self.served_at)

    def held(self, fence: int) -> bool:
        return self.leased_until is not None and self.fence == fence

    def add(self, number: int, job: Job) -> None:
        self.jobs[job.id] = Kept(number, job)

    def named(self, jobs: Iterable[Job]) -> Sequence[Kept]:
        return [self.jobs[job.id] for job in jobs]

    def claim(self, now: datetime, lease: timedelta, batch: int) -> Sequence[Kept]:
        for one in self.open:
            one.wait()
        chosen = self.next_jobs(now, batch)
        for one in chosen:
            one.run()
        self.fence += 1
        self.leased_until = now + lease
        self.served_before, self.served_at = self.served_at, now
        return chosen

    def next_jobs(self, now: datetime, batch: int) -> Sequence[Kept]:
        first, *others = self.open
        if first.batch is not None:
            return [one for one in self.open if one.batch == first.batch]
        if first.job.attempts:
            return [first]

        def alike(other: Kept) -> bool:
            fresh = other.batch is None and not other.job.attempts and other.job.due_at <= now
            return fresh and other.job.scope == first.job.scope

        return [first, *takewhile(alike, others[: max(0, batch - 1)])]

    def stage(self, jobs: Sequence[Job], name: str, result: bytes) -> None:
        first = jobs[0].id
        for one in self.named(jobs):
            one.batch = first
        self.staged.setdefault(first, {})[name] = result

    def unstage(self, batch: str | None) -> None:
        if batch is not None:
            self.staged.pop(batch, None)
            for one in self.jobs.values():
                if one.batch == batch:
                    one.batch = None

    def release(self) -> None:
        """Take the claim back as if it had not been."""
        for one in self.open:
            if one.job.state is State.RUNNING:
                one.wait(attempts=1)
        self.leased_until, self.served_at = None, self.served_before

    def remove(self, job_id: str) -> None:
        """A claim with the job in it is lost: what it makes would be of what is erased."""
        gone = self.jobs.pop(job_id, None)
        if gone is None:
            return
        self.unstage(gone.batch)
        if gone.job.state is State.RUNNING:
            self.fence += 1
            self.release()
