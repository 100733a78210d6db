"""The contract of the `Queue` port, as tests: how long a claim holds, and how it ends."""

import pytest

from memweaver.domain.job import Priority, State
from memweaver.errors import ClaimLost, NotFound
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import ANN, BOB, BackendSuite, later, stamp_of
from memweaver.testing.conformance.queue import (
    BROKEN,
    DEEDS,
    all_jobs,
    claimed,
    done,
    leave,
    names,
    next_claim,
)


class ClaimsSuite(BackendSuite):
    @pytest.mark.requirement("D13")
    async def test_when_a_lease_ends_somebody_else_takes_over(self, backend: Backend) -> None:
        await leave(backend, "t1")
        first = await claimed(backend, 1)
        assert await next_claim(backend, 5) is None
        second = await claimed(backend, 6)
        assert second.fence > first.fence
        assert [job.attempts for job in (*first.jobs, *second.jobs)] == [1, 2]
        assert [job.state for job in second.jobs] == [State.RUNNING]
        assert (await backend.queue.job(ANN, "t1")) == second.jobs[0]

    async def test_a_heartbeat_makes_a_lease_longer(self, backend: Backend) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend, 1)
        await backend.queue.heartbeat(claim, until=later(20))
        assert await next_claim(backend, 19) is None
        assert names(await next_claim(backend, 20)) == ["t1"]

    @pytest.mark.requirement("D13")
    @pytest.mark.parametrize("deed", DEEDS)
    async def test_who_lost_a_claim_changes_nothing(self, backend: Backend, deed: str) -> None:
        await leave(backend, "t1", "t2")
        zombie = await claimed(backend, 1)
        holder = await claimed(backend, 30)
        before = await all_jobs(backend), await stamp_of(backend)
        with pytest.raises(ClaimLost):
            await DEEDS[deed](backend, zombie)
        assert (await all_jobs(backend), await stamp_of(backend)) == before
        assert await next_claim(backend, 34) is None
        await backend.queue.release(holder)
        assert (await claimed(backend, 31)).staged == {}

    @pytest.mark.parametrize("again", DEEDS)
    @pytest.mark.parametrize("end", ["settle", "dead", "fail", "bury", "postpone", "release"])
    async def test_a_claim_ends_once(self, backend: Backend, end: str, again: str) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend)
        await DEEDS[end](backend, claim)
        before = await all_jobs(backend), await stamp_of(backend)
        with pytest.raises(ClaimLost):
            await DEEDS[again](backend, claim)
        assert (await all_jobs(backend), await stamp_of(backend)) == before

    @pytest.mark.parametrize("deed", DEEDS)
    async def test_a_claim_holds_after_its_lease_until_somebody_takes_it(
        self, backend: Backend, deed: str
    ) -> None:
        """The deeds are done at nine minutes past, when the lease has long ended."""
        await leave(backend, "t1", after=-30)
        await DEEDS[deed](backend, await claimed(backend, -30))

    @pytest.mark.parametrize("deed", DEEDS)
    async def test_of_a_destroyed_user_every_claim_is_lost(
        self, backend: Backend, deed: str
    ) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend)
        await backend.vault.destroy("ann")
        assert await all_jobs(backend) == []
        with pytest.raises(ClaimLost):
            await DEEDS[deed](backend, claim)
        assert await backend.vault.users() == []
        await leave(backend, "t1")
        anew = await claimed(backend)
        assert (anew.fence, anew.epoch == claim.epoch) == (claim.fence, False)
        with pytest.raises(ClaimLost):
            await DEEDS[deed](backend, claim)
        await done(backend, anew)

    async def test_what_is_released_is_as_if_it_had_not_been_claimed(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1", "t2")
        await leave(backend, "t1", scope=BOB)
        before = await all_jobs(backend)
        claim = await claimed(backend, 1)
        await backend.queue.release(claim)
        assert await all_jobs(backend) == before
        again = await claimed(backend, 1)
        assert (again.scope, names(again)) == (ANN, ["t1", "t2"])
        assert again.fence > claim.fence

    @pytest.mark.requirement("D8")
    async def test_a_failed_job_rests_and_holds_up_its_user_only(self, backend: Backend) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend, 1)
        await leave(backend, "t2")
        await backend.queue.fail(claim, BROKEN, now=later(2), retry_at=later(7))
        job = await backend.queue.job(ANN, "t1")
        assert (job.state, job.attempts, job.failures) == (State.WAITING, 1, 1)
        assert (job.failure, job.due_at, job.settled_at) == (BROKEN, later(7), None)
        assert await next_claim(backend, 6) is None
        assert names(await next_claim(backend, 7)) == ["t1"]

    @pytest.mark.requirement("D8")
    async def test_an_outage_counts_for_nothing(self, backend: Backend) -> None:
        await leave(backend, "t1")
        for begun, due in ((1, 4), (5, 9)):
            claim = await claimed(backend, begun)
            assert claim.jobs[0].attempts == 1
            retry_at = later(due)
            await backend.queue.postpone(claim, BROKEN, now=later(begun), retry_at=retry_at)
            job = await backend.queue.job(ANN, "t1")
            assert (job.state, job.attempts, job.failures) == (State.WAITING, 0, 0)
            assert (job.failure, job.due_at, job.away_since) == (BROKEN, retry_at, later(1))
            assert await next_claim(backend, due - 1) is None

    @pytest.mark.parametrize("end", ["settle", "dead", "fail", "bury"])
    async def test_whatever_else_happens_is_the_end_of_an_outage(
        self, backend: Backend, end: str
    ) -> None:
        await leave(backend, "t1")
        await backend.queue.postpone(
            await claimed(backend, 1), BROKEN, now=later(1), retry_at=later(2)
        )
        again = await claimed(backend, 2)
        assert again.jobs[0].away_since == later(1)
        await DEEDS[end](backend, again)
        assert (await backend.queue.job(ANN, "t1")).away_since is None

    @pytest.mark.requirement("D8")
    async def test_a_dead_job_lets_the_later_ones_go_on(self, backend: Backend) -> None:
        await leave(backend, "t1", "t2")
        await backend.queue.fail(
            await claimed(backend, batch=1), BROKEN, now=later(2), retry_at=None
        )
        job = await backend.queue.job(ANN, "t1")
        assert (job.state, job.failure, job.failures) == (State.DEAD, BROKEN, 1)
        assert job.settled_at == later(2)
        assert names(await next_claim(backend, 2)) == ["t2"]

    async def test_of_some_jobs_it_is_told_which_are_dead(self, backend: Backend) -> None:
        await leave(backend, "t1", "t2", "t3")
        await DEEDS["bury"](backend, await claimed(backend, batch=1))
        await DEEDS["settle"](backend, await claimed(backend, batch=1))
        await leave(backend, "t1", scope=BOB)
        assert await backend.queue.dead("ann", ["t1", "t2", "t3", "gone"]) == {"t1"}
        assert await backend.queue.dead("ann", ["t2"]) == frozenset()
        assert await backend.queue.dead("bob", ["t1"]) == frozenset()
        assert await backend.queue.dead("nobody", []) == frozenset()

    async def test_the_job_of_an_erased_turn_is_gone(self, backend: Backend) -> None:
        await leave(backend, "t1", after=5, priority=Priority.HIGH)
        await leave(backend, "t2", scope=BOB)
        await leave(backend, "t2")
        await backend.store.erase_turn(ANN, "t1")
        with pytest.raises(NotFound):
            await backend.queue.job(ANN, "t1")
        come = [await claimed(backend, 1), await claimed(backend, 1)]
        assert [(one.scope, names(one)) for one in come] == [(ANN, ["t2"]), (BOB, ["t2"])]

    @pytest.mark.parametrize("deed", DEEDS)
    async def test_a_claim_with_an_erased_turn_is_lost_and_the_rest_comes_again(
        self, backend: Backend, deed: str
    ) -> None:
        await leave(backend, "t1", "t2", "t3")
        claim = await claimed(backend)
        await backend.queue.stage(claim, "extracted", b"of all three")
        await backend.store.erase_turn(ANN, "t2")
        with pytest.raises(ClaimLost):
            await DEEDS[deed](backend, claim)
        again = await claimed(backend)
        assert (names(again), again.staged) == (["t1", "t3"], {})
        assert [job.attempts for job in again.jobs] == [1, 1]

    async def test_a_turn_erased_after_its_job_disturbs_nobody(self, backend: Backend) -> None:
        await leave(backend, "t1")
        await done(backend, await claimed(backend))
        await leave(backend, "t2")
        claim = await claimed(backend)
        await backend.store.erase_turn(ANN, "t1")
        await done(backend, claim)
        assert [job.id for job in await all_jobs(backend)] == ["t2"]
