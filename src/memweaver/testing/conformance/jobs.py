"""The contract of the `Queue` port, as tests: looking at jobs, and the operator's hand."""

import pytest

from memweaver.domain.job import Depth, Job, Priority, State
from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, NotFound
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_HOME,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    later,
)
from memweaver.testing.conformance.queue import (
    ANYHOW,
    BROKEN,
    all_jobs,
    claimed,
    done,
    leave,
    names,
    next_claim,
)
from memweaver.testing.conformance.store import STRANGE_NAMES


class JobsSuite(BackendSuite):
    async def test_a_job_is_seen_by_whoever_sees_its_turn(self, backend: Backend) -> None:
        await leave(backend, "t1", scope=ANN_AT_WORK, priority=Priority.LOW)
        job = Job("t1", ANN_AT_WORK, Priority.LOW, State.WAITING, later(0), later(0))
        for scope in (ANN, ANN_AT_WORK):
            assert await backend.queue.job(scope, "t1") == job
        for scope in (ANN_AT_HOME, BOB, Scope("nobody")):
            with pytest.raises(NotFound):
                await backend.queue.job(scope, "t1")

    @pytest.mark.parametrize("name", STRANGE_NAMES)
    async def test_a_job_that_is_not_there_is_not_found(self, backend: Backend, name: str) -> None:
        await leave(backend, "t1")
        with pytest.raises(NotFound):
            await backend.queue.job(ANN, name)
        with pytest.raises(NotFound):
            await backend.queue.retry("ann", name, now=later(1))

    @pytest.mark.requirement("D8")
    async def test_jobs_are_listed_latest_first_a_page_at_a_time(self, backend: Backend) -> None:
        await leave(backend, "a1", "a2")
        await leave(backend, "b1", scope=BOB)
        await leave(backend, "a3")
        seen, before = [], None
        for _ in range(2):
            page = await backend.queue.jobs(states=ANYHOW, user=None, before=before, limit=2)
            seen.append([job.id for job in page.items])
            before = page.next
        assert (seen, before) == ([["a3", "b1"], ["a2", "a1"]], None)

    async def test_jobs_are_listed_by_user_and_state(self, backend: Backend) -> None:
        await leave(backend, "a1", "a2", "a3")
        await leave(backend, "b1", scope=BOB)
        await done(backend, await claimed(backend, batch=1, user="ann"))
        dying = await claimed(backend, batch=1, user="ann")
        await backend.queue.fail(dying, BROKEN, now=later(2), retry_at=None)

        async def listed(user: str | None, *states: State) -> list[str]:
            page = await backend.queue.jobs(states=states, user=user, before=None, limit=9)
            return [job.id for job in page.items]

        assert await listed(None, State.DEAD) == ["a2"]
        assert await listed("ann", State.DONE, State.WAITING) == ["a3", "a1"]
        assert await listed(None, State.WAITING) == ["b1", "a3"]
        assert await listed("bob", State.DEAD) == await listed("nobody", *ANYHOW) == []
        assert await listed(None) == []

    @pytest.mark.requirement("D8")
    async def test_a_dead_job_is_retried_as_if_it_were_new(self, backend: Backend) -> None:
        await leave(backend, "t1", priority=Priority.HIGH)
        fresh = await backend.queue.job(ANN, "t1")
        await backend.queue.fail(await claimed(backend), BROKEN, now=later(2), retry_at=None)
        retried = await backend.queue.retry("ann", "t1", now=later(3))
        assert retried == await backend.queue.job(ANN, "t1")
        assert retried == Job("t1", ANN, fresh.priority, State.WAITING, later(0), later(3))
        assert await next_claim(backend, 2) is None
        assert names(await next_claim(backend, 3)) == ["t1"]

    async def test_only_a_dead_job_is_retried(self, backend: Backend) -> None:
        await leave(backend, "t1", "t2")
        claim = await claimed(backend, batch=1)
        for name in ("t1", "t2"):
            with pytest.raises(Conflict):
                await backend.queue.retry("ann", name, now=later(2))
        await done(backend, claim)
        with pytest.raises(Conflict):
            await backend.queue.retry("ann", "t1", now=later(2))
        with pytest.raises(NotFound):
            await backend.queue.retry("bob", "t1", now=later(2))

    @pytest.mark.requirement("D8")
    async def test_a_dead_job_is_discarded_and_its_turn_stays(self, backend: Backend) -> None:
        await leave(backend, "t1", "t2")
        await backend.queue.fail(
            await claimed(backend, batch=1), BROKEN, now=later(2), retry_at=None
        )
        await backend.queue.discard("ann", "t1")
        with pytest.raises(NotFound):
            await backend.queue.job(ANN, "t1")
        assert (await backend.store.turn(ANN, "t1")).id == "t1"
        assert names(await next_claim(backend, 3)) == ["t2"]

    async def test_only_a_dead_job_of_that_user_is_discarded(self, backend: Backend) -> None:
        await leave(backend, "t1")
        with pytest.raises(Conflict):
            await backend.queue.discard("ann", "t1")
        for user, name in (("ann", "t2"), ("bob", "t1"), ("ann", "\0")):
            with pytest.raises(NotFound):
                await backend.queue.discard(user, name)
        assert names(await next_claim(backend, 1)) == ["t1"]

    async def test_a_retried_job_waits_for_the_claim_there_is(self, backend: Backend) -> None:
        await leave(backend, "t1", "t2")
        dying = await claimed(backend, batch=1)
        await backend.queue.fail(dying, BROKEN, now=later(1), retry_at=None)
        running = await claimed(backend, 1)
        await backend.queue.retry("ann", "t1", now=later(1))
        assert await next_claim(backend, 2) is None
        lost_lease = await claimed(backend, 30, batch=1)
        assert names(lost_lease) == ["t1"]
        assert (await backend.queue.job(ANN, "t2")).state is State.WAITING
        await done(backend, lost_lease)
        assert names(await next_claim(backend, 31)) == names(running)

    @pytest.mark.requirement("D8")
    async def test_all_dead_jobs_of_a_user_are_retried_at_once_oldest_first(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t3", "t1", "t2", "t4", priority=Priority.LOW)
        await leave(backend, "t1", scope=BOB)
        await done(backend, await claimed(backend, batch=1, user="ann"))
        for user in ("ann", "ann", "bob"):
            dying = await claimed(backend, batch=1, user=user)
            await backend.queue.fail(dying, BROKEN, now=later(2), retry_at=None)
        retried = await backend.queue.retry_all("ann", now=later(3))
        assert retried == [
            Job(name, ANN, Priority.LOW, State.WAITING, later(0), later(3)) for name in ("t1", "t2")
        ]
        assert [await backend.queue.job(ANN, job.id) for job in retried] == retried
        assert (await backend.queue.job(BOB, "t1")).state is State.DEAD
        assert await next_claim(backend, 2) is None
        assert names(await next_claim(backend, 3)) == ["t1", "t2", "t4"]

    async def test_all_that_are_retried_wait_for_the_claim_there_is(self, backend: Backend) -> None:
        await leave(backend, "t1", "t2", "t3")
        for _ in range(2):
            dying = await claimed(backend, batch=1)
            await backend.queue.fail(dying, BROKEN, now=later(1), retry_at=None)
        running = await claimed(backend, 1)
        await backend.queue.retry_all("ann", now=later(1))
        assert await next_claim(backend, 2) is None
        await done(backend, running)
        assert names(await next_claim(backend, 2)) == ["t1", "t2"]

    async def test_where_nothing_is_dead_nothing_is_retried(self, backend: Backend) -> None:
        await leave(backend, "t1", "t2")
        await claimed(backend, batch=1)
        before = await all_jobs(backend)
        for user in ("ann", "nobody"):
            assert await backend.queue.retry_all(user, now=later(2)) == []
        assert await all_jobs(backend) == before

    async def test_depth_counts_what_is_to_do(self, backend: Backend) -> None:
        assert await backend.queue.depth() == Depth(0, 0, 0, None)
        await leave(backend, "a1", "a2", after=-5)
        await leave(backend, "b1", "b2", scope=BOB, after=-3)
        assert await backend.queue.depth() == Depth(4, 0, 0, later(-5))
        first = await claimed(backend, batch=1, user="ann")
        assert await backend.queue.depth() == Depth(3, 1, 0, later(-5))
        await done(backend, first)
        dying = await claimed(backend, batch=1, user="ann")
        await backend.queue.fail(dying, BROKEN, now=later(2), retry_at=None)
        assert await backend.queue.depth() == Depth(2, 0, 1, later(-3))
        await backend.vault.destroy("bob")
        assert await backend.queue.depth() == Depth(0, 0, 1, None)

    async def test_sweeping_forgets_what_is_long_done(self, backend: Backend) -> None:
        await leave(backend, "a1", "a2", "a3", "a4")
        for minute in (2, 3):
            await done(backend, await claimed(backend, batch=1), minute)
        dying = await claimed(backend, batch=1)
        await backend.queue.fail(dying, BROKEN, now=later(2), retry_at=None)
        assert await backend.queue.sweep(before=later(2)) == 0
        assert await backend.queue.sweep(before=later(3)) == 1
        assert {job.id for job in await all_jobs(backend)} == {"a2", "a3", "a4"}
        assert await backend.queue.sweep(before=later(99)) == 1
        assert names(await next_claim(backend, 99)) == ["a4"]
