"""The port to the queue of record: which turns are still to be reflected, and who is at it."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from memweaver.domain.job import Depth, Failure, Job, State
from memweaver.domain.memory import Memory
from memweaver.domain.scope import Scope
from memweaver.ports.changes import Vectors
from memweaver.ports.store import Page

AHEAD = 10
"""How many of a user's oldest jobs count for when they are served: about those of one claim.

Were it all of them, one urgent sentence would lift a long backlog of others above everybody.
"""
LONGEST_WAIT = timedelta(minutes=10)
"""How long somebody waits behind users of higher priority, unless another time is asked for."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Some jobs of one scope, oldest first, under lease.

    `fence` grows with every claim of that user: who holds an older one has lost it, however long
    it slept. `epoch` is that of the user: who was destroyed meanwhile is not reflected upon.
    `staged` is what an earlier attempt at exactly these jobs has kept, by name.
    """

    scope: Scope
    epoch: str
    fence: int
    jobs: tuple[Job, ...]
    staged: Mapping[str, bytes] = field(default_factory=dict[str, bytes])


@dataclass(frozen=True, slots=True)
class Closing:
    """Ends the open `revision` of a memory; with `valid_to` it also ceased to hold in the world."""

    memory_id: str
    revision: int
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Effects:
    """All that a reflection changes.

    `added` are kept as `Store.add` keeps them, but for those whose very words (apart from case,
    spaces and the final stop) an open memory of the same scope and tier says already: these are
    left out, together with their vectors; words in quarantine leave out only such words.
    `revised` are kept as by `Store.revise`. Closing comes first, adding last.
    """

    added: Sequence[Memory] = ()
    revised: Sequence[Memory] = ()
    closed: Sequence[Closing] = ()
    vectors: Sequence[Vectors] = ()


class Settling(Protocol):
    """Takes what becomes of a claim. Every method may raise `BackendError`."""

    @abstractmethod
    async def stage(self, claim: Claim, name: str, result: bytes) -> None:
        """Keep, sealed, what was costly to make, for a later attempt. Raises `ClaimLost`."""
        ...

    @abstractmethod
    async def settle(
        self, claim: Claim, effects: Effects, *, now: datetime, dead: Failure | None = None
    ) -> Sequence[Memory]:
        """Apply `effects` and end the jobs, done or `dead`, in one transaction.

        Answers the memories that were added. What was staged is gone.

        Raises:
            ClaimLost: somebody else has it, or the user was destroyed; nothing is changed.
            Conflict: a memory was changed meanwhile; nothing is changed, the claim holds.
        """
        ...

    @abstractmethod
    async def fail(
        self,
        claim: Claim,
        failure: Failure,
        *,
        now: datetime,
        retry_at: datetime | None,
        apart: bool = False,
    ) -> None:
        """End the attempt badly: the jobs wait until `retry_at`, or are dead without it.

        Each job's `failures` grows. What was staged stays, unless they are to be tried `apart`,
        as one of them may be to blame: then each comes alone. Raises `ClaimLost`.
        """
        ...

    @abstractmethod
    async def postpone(
        self, claim: Claim, failure: Failure, *, now: datetime, retry_at: datetime
    ) -> None:
        """End the attempt by an outage, which is no fault of the jobs: they wait until `retry_at`.

        It counts neither among `attempts` nor `failures`, so jobs that came together come
        together again; what was staged stays. `away_since` is `now`, unless an attempt before
        ended in the same way; whatever else happens to a job ends that. Raises `ClaimLost`.
        """
        ...


class Queue(Settling, Protocol):
    """Hands out jobs, each user's in their order and to one claim at a time, many users at once.

    Jobs come in by `Store.record`, in the transaction of their turns. Every write is durable when
    it returns, and done whole or not at all. Nothing here holds words of people but `staged`,
    which is sealed. Every method may raise `BackendError`; only further ones are named below.
    """

    @abstractmethod
    async def claim(
        self,
        *,
        now: datetime,
        lease: timedelta,
        batch: int,
        user: str | None = None,
        longest_wait: timedelta = LONGEST_WAIT,
    ) -> Claim | None:
        """The next jobs that may be begun, or `None`.

        First are users whose oldest job has been due, and who have not been served, for
        `longest_wait`, whoever waits longest before the others; so nobody waits for ever. Then
        those with a job of high priority among their `AHEAD` oldest, and so on down; among
        equals, whoever was served longest ago.
        A user's turn is at most `batch` of the oldest jobs, all of the same scope; a job with
        attempts behind it comes alone, unless one of them staged something for several: then
        these come again together. A user is passed over while another claim's lease lasts, and
        while the oldest job is not due. Each job's `attempts` grows. With `user`, only theirs.
        """
        ...

    @abstractmethod
    async def heartbeat(self, claim: Claim, *, until: datetime) -> None:
        """Lease it for longer. Raises `ClaimLost`."""
        ...

    @abstractmethod
    async def apply(
        self, jobs: Sequence[Job], effects: Effects, *, now: datetime
    ) -> Sequence[Memory]:
        """Apply `effects` as `settle` does, for turns of one scope that left no jobs.

        `jobs` are those they would have left. Nothing of the queue is read or written, so this
        works while it is unavailable. No fence keeps two of a user apart.

        Raises:
            ClaimLost: one of the turns is no longer there as it was recorded.
            Conflict: a memory was changed meanwhile. In both cases nothing is changed.
        """
        ...

    @abstractmethod
    async def release(self, claim: Claim) -> None:
        """Give it back as if it had not been claimed, attempts included. Raises `ClaimLost`."""
        ...

    @abstractmethod
    async def job(self, scope: Scope, job_id: str) -> Job:
        """Raises `NotFound`."""
        ...

    @abstractmethod
    async def jobs(
        self, *, states: Sequence[State], user: str | None, before: int | None, limit: int
    ) -> Page[Job]:
        """Jobs in any of `states`, of all users or one, latest first: the operator's view."""
        ...

    @abstractmethod
    async def dead(self, user: str, job_ids: Collection[str]) -> frozenset[str]:
        """Which of these jobs of `user` are dead. One that is not there is not."""
        ...

    @abstractmethod
    async def retry(self, user: str, job_id: str, *, now: datetime) -> Job:
        """Let a dead job wait as if it were new. Raises `NotFound`; `Conflict` if not dead."""
        ...

    @abstractmethod
    async def discard(self, user: str, job_id: str) -> None:
        """Forget a dead job with what was staged for it; its turn stays.

        Raises `NotFound`; `Conflict` if it is not dead.
        """
        ...

    @abstractmethod
    async def retry_all(self, user: str, *, now: datetime) -> Sequence[Job]:
        """Let all dead jobs of `user` wait as if they were new, at once; oldest first.

        No claim comes between them, so they are begun in their order. What was staged stays.
        """
        ...

    @abstractmethod
    async def depth(self) -> Depth: ...

    @abstractmethod
    async def sweep(self, *, before: datetime) -> int:
        """Forget jobs that were done before then; how many. Dead ones stay."""
        ...
