"""The contract of the `Queue` port, as tests: who gets which jobs, and when."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import pytest

from memweaver.domain.job import Failure, Job, Priority, State
from memweaver.domain.scope import Scope
from memweaver.ports.backend import Backend
from memweaver.ports.queue import AHEAD, Claim, Effects
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_HOME,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_memory,
    a_turn,
    later,
    stamp_of,
)

LEASE = timedelta(minutes=5)
BROKEN = Failure("model_unavailable", "the model could not be reached")
EVE = Scope("eve")
ANYHOW = tuple(State)

Deed = Callable[[Backend, Claim], Awaitable[object]]
DEEDS: dict[str, Deed] = {
    "heartbeat": lambda b, claim: b.queue.heartbeat(claim, until=later(60)),
    "stage": lambda b, claim: b.queue.stage(claim, "extracted", b"late"),
    "settle": lambda b, claim: b.queue.settle(claim, Effects([a_memory()]), now=later(9)),
    "dead": lambda b, claim: b.queue.settle(claim, Effects(), now=later(9), dead=BROKEN),
    "fail": lambda b, claim: b.queue.fail(claim, BROKEN, now=later(9), retry_at=later(10)),
    "bury": lambda b, claim: b.queue.fail(claim, BROKEN, now=later(9), retry_at=None),
    "postpone": lambda b, claim: b.queue.postpone(claim, BROKEN, now=later(9), retry_at=later(10)),
    "release": lambda b, claim: b.queue.release(claim),
}
"""All that can be done with a claim."""


async def leave(
    backend: Backend,
    *names: str,
    scope: Scope = ANN,
    priority: Priority = Priority.NORMAL,
    after: int = 0,
) -> None:
    """Record turns that leave jobs."""
    turns = [a_turn(name, scope=scope, after=after) for name in names]
    await backend.store.record(turns, priority=priority)


async def next_claim(
    backend: Backend, after: int = 1, *, batch: int = 8, user: str | None = None
) -> Claim | None:
    return await backend.queue.claim(now=later(after), lease=LEASE, batch=batch, user=user)


async def claimed(
    backend: Backend, after: int = 1, *, batch: int = 8, user: str | None = None
) -> Claim:
    """The next claim, where there must be one."""
    claim = await next_claim(backend, after, batch=batch, user=user)
    assert claim is not None
    return claim


async def done(backend: Backend, claim: Claim, after: int = 2) -> None:
    await backend.queue.settle(claim, Effects(), now=later(after))


def names(claim: Claim | None) -> list[str]:
    return [job.id for job in claim.jobs] if claim else []


async def all_jobs(backend: Backend) -> Sequence[Job]:
    page = await backend.queue.jobs(states=ANYHOW, user=None, before=None, limit=100)
    return page.items


class QueueSuite(BackendSuite):
    @pytest.mark.requirement("C12", "X6")
    async def test_only_a_new_turn_with_a_priority_leaves_a_job(self, backend: Backend) -> None:
        await backend.store.record([a_turn("quiet")])
        assert await next_claim(backend) is None
        await leave(backend, "t1", "quiet", priority=Priority.HIGH)
        assert await all_jobs(backend) == [
            Job("t1", ANN, Priority.HIGH, State.WAITING, created_at=later(0), due_at=later(0))
        ]
        claim = await claimed(backend)
        assert (claim.scope, names(claim), claim.staged) == (ANN, ["t1"], {})
        assert claim.epoch == (await stamp_of(backend)).epoch
        await done(backend, claim)
        await leave(backend, "t1")
        assert await next_claim(backend, 3) is None

    @pytest.mark.requirement("D12")
    async def test_a_job_keeps_where_in_a_trace_it_was_left(self, backend: Backend) -> None:
        await backend.store.record([a_turn("t1")], priority=Priority.NORMAL, trace="00-a-b-01")
        await leave(backend, "t2")
        claim = await claimed(backend)
        assert [job.trace for job in claim.jobs] == ["00-a-b-01", None]

    async def test_a_turn_that_is_refused_leaves_no_job(self, backend: Backend) -> None:
        await leave(backend, "t1")
        before = await all_jobs(backend)
        with pytest.raises(Exception, match="different turn"):
            await backend.store.record(
                [a_turn("t2"), a_turn("t1", "Something else")], priority=Priority.HIGH
            )
        assert await all_jobs(backend) == before

    @pytest.mark.requirement("D13")
    async def test_jobs_of_a_user_come_in_the_order_they_were_recorded(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t3")
        await leave(backend, "t1", "t2", after=-9, priority=Priority.HIGH)
        come = []
        for _ in range(3):
            claim = await claimed(backend, batch=1)
            come += names(claim)
            await done(backend, claim)
        assert come == ["t3", "t1", "t2"]

    @pytest.mark.requirement("D13")
    async def test_one_claim_of_a_user_at_a_time_and_many_users_at_once(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1", "t2")
        await leave(backend, "t1", scope=BOB)
        first, second = await claimed(backend, batch=1), await claimed(backend, batch=1)
        assert {first.scope, second.scope} == {ANN, BOB}
        assert await next_claim(backend) is None
        await done(backend, first if first.scope == ANN else second)
        assert names(await next_claim(backend)) == ["t2"]

    @pytest.mark.requirement("D6")
    async def test_a_batch_is_of_one_scope_and_no_larger_than_asked_for(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1", "t2", "t3", scope=ANN_AT_WORK)
        await leave(backend, "t4", scope=ANN_AT_HOME)
        await leave(backend, "t5", scope=ANN_AT_WORK)
        scopes, come = [], []
        for _ in range(4):
            claim = await claimed(backend, batch=2)
            scopes.append(claim.scope)
            come.append(names(claim))
            await done(backend, claim)
        assert come == [["t1", "t2"], ["t3"], ["t4"], ["t5"]]
        assert scopes == [ANN_AT_WORK, ANN_AT_WORK, ANN_AT_HOME, ANN_AT_WORK]

    async def test_a_job_is_not_begun_before_it_is_due(self, backend: Backend) -> None:
        await leave(backend, "t1", after=3)
        await leave(backend, "t2", after=0)
        await leave(backend, "t3", after=5)
        assert await next_claim(backend, 2) is None
        assert names(await next_claim(backend, 3)) == ["t1", "t2"]

    @pytest.mark.requirement("D7")
    async def test_users_are_served_in_turn_however_much_one_of_them_has(
        self, backend: Backend
    ) -> None:
        await leave(backend, *(f"t{number}" for number in range(4)))
        await leave(backend, "t1", "t2", scope=BOB)
        served = []
        for minute in range(6):
            claim = await claimed(backend, minute, batch=1)
            served.append(claim.scope)
            await done(backend, claim, minute)
        assert served == [ANN, BOB, ANN, BOB, ANN, ANN]

    @pytest.mark.requirement("D7")
    async def test_who_has_a_job_of_higher_priority_is_served_first(self, backend: Backend) -> None:
        await leave(backend, "t1", scope=ANN, priority=Priority.LOW)
        await leave(backend, "t1", "t2", scope=BOB)
        await leave(backend, "t1", scope=EVE)
        await leave(backend, "t2", scope=EVE, priority=Priority.HIGH)
        served = []
        for minute in range(1, 6):
            claim = await claimed(backend, minute, batch=1)
            served.append((claim.scope, *names(claim)))
            await done(backend, claim, minute)
        assert served == [(EVE, "t1"), (EVE, "t2"), (BOB, "t1"), (BOB, "t2"), (ANN, "t1")]

    @pytest.mark.requirement("D7")
    async def test_a_job_of_high_priority_lifts_no_long_backlog_before_it(
        self, backend: Backend
    ) -> None:
        await leave(backend, *(f"t{number}" for number in range(AHEAD)), priority=Priority.LOW)
        await leave(backend, "urgent", priority=Priority.HIGH)
        await leave(backend, "t1", "t2", scope=BOB)
        served = []
        for minute in range(1, 4):
            claim = await claimed(backend, minute, batch=1)
            served.append((claim.scope, *names(claim)))
            await done(backend, claim, minute)
        assert served == [(BOB, "t1"), (BOB, "t2"), (ANN, "t0")]
        await leave(backend, "t3", scope=BOB, after=3)
        assert names(await next_claim(backend, 4, batch=1)) == ["t1"]

    @pytest.mark.requirement("D7")
    async def test_what_is_recorded_later_lifts_a_short_backlog(self, backend: Backend) -> None:
        await leave(backend, *(f"t{number}" for number in range(AHEAD - 1)), priority=Priority.LOW)
        await leave(backend, "t1", scope=BOB)
        await leave(backend, "urgent", priority=Priority.HIGH)
        assert names(await next_claim(backend, batch=1)) == ["t0"]

    @pytest.mark.requirement("D7")
    async def test_nobody_waits_longer_than_that_behind_others(self, backend: Backend) -> None:
        """Bob waits longer than Ann; once each is served, priority counts again."""
        await leave(backend, "t1", "t2", scope=ANN, priority=Priority.LOW)
        await leave(backend, "t1", "t2", scope=BOB, after=-1)
        await leave(backend, *(f"t{number}" for number in range(9)), scope=EVE, after=-9)
        await leave(backend, "urgent", scope=EVE, priority=Priority.HIGH)
        served = []
        for minute in (1, 9, 10, 11, 12):
            claim = await claimed(backend, minute, batch=1)
            served.append((claim.scope, *names(claim)))
            await done(backend, claim, minute)
        assert served == [(EVE, "t0"), (BOB, "t1"), (ANN, "t1"), (EVE, "t1"), (EVE, "t2")]

    @pytest.mark.requirement("D7")
    async def test_how_long_that_is_may_be_said(self, backend: Backend) -> None:
        await leave(backend, "t1", priority=Priority.LOW)
        await leave(backend, "t2", scope=BOB)
        wait = timedelta(minutes=3)
        for minute, first in ((2, "t2"), (3, "t1")):
            claim = await backend.queue.claim(
                now=later(minute), lease=LEASE, batch=1, longest_wait=wait
            )
            assert names(claim) == [first]
            assert claim
            await backend.queue.release(claim)

    @pytest.mark.requirement("D7")
    async def test_who_rests_after_a_failure_does_not_wait(self, backend: Backend) -> None:
        await leave(backend, "t1", priority=Priority.LOW)
        claim = await claimed(backend, 1)
        await backend.queue.fail(claim, BROKEN, now=later(1), retry_at=later(20))
        await leave(backend, "t2", scope=BOB, after=20)
        claim = await claimed(backend, 29)
        assert names(claim) == ["t2"]
        await backend.queue.release(claim)
        assert names(await next_claim(backend, 30)) == ["t1"]

    async def test_a_claim_may_be_for_one_user(self, backend: Backend) -> None:
        await leave(backend, "t1", priority=Priority.HIGH)
        await leave(backend, "t2", scope=BOB)
        assert names(await next_claim(backend, user="bob")) == ["t2"]
        for nobody in ("bob", "nobody"):
            assert await next_claim(backend, user=nobody) is None
