"""Jobs: they can be found, and those that are dead get another chance."""

from datetime import timedelta

import pytest
from tests.unit.services.queued import MAY, TOO_LONG, Queued, queued

from memweaver.domain.job import Job, State
from memweaver.domain.limits import Limits
from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, InvalidInput, NotFound
from memweaver.services.jobs import Jobs


def jobs_of(house: Queued, page: int = 200) -> Jobs:
    return Jobs(house.queue, house.bell, house.clock, Limits(page=page))


def names(found: list[Job]) -> list[str]:
    return [job.id for job in found]


@pytest.mark.requirement("D12")
async def test_a_job_is_found_by_whom_it_belongs_to_alone() -> None:
    async with queued() as house:
        await house.waiting("ann", "one", ai="helper")
        jobs = jobs_of(house)

        found = await jobs.job(Scope("ann"), "one")
        assert (found.state, found.attempts, found.created_at) == (State.WAITING, 0, MAY)
        assert await jobs.job(Scope("ann", "helper"), "one") == found
        for scope in (Scope("ben"), Scope("ann", "other")):
            with pytest.raises(NotFound):
                await jobs.job(scope, "one")


@pytest.mark.requirement("D8")
async def test_a_dead_job_is_discarded() -> None:
    async with queued() as house:
        await house.dead("ann", "dead")
        jobs = jobs_of(house)
        await jobs.discard("ann", "dead")
        with pytest.raises(NotFound):
            await jobs.discard("ann", "dead")
        with pytest.raises(InvalidInput, match="`user`"):
            await jobs.discard(" ", "dead")


@pytest.mark.requirement("D8")
async def test_jobs_are_listed_by_state_and_user_latest_first() -> None:
    async with queued() as house:
        await house.dead("ann", "dead")
        await house.done("ann", "done")
        await house.waiting("ann", "one", "two")
        await house.running("ben", "three")
        jobs = jobs_of(house)

        assert names(list((await jobs.jobs()).items)) == ["three", "two", "one", "done", "dead"]
        assert names(list((await jobs.jobs(states=[State.WAITING])).items)) == ["two", "one"]
        assert names(list((await jobs.jobs(user="ben")).items)) == ["three"]
        page = await jobs.jobs(limit=2)
        following = await jobs.jobs(limit=2, before=page.next)
        assert names([*page.items, *following.items]) == ["three", "two", "one", "done"]


async def test_what_cannot_be_listed_is_refused_by_name() -> None:
    async with queued() as house:
        with pytest.raises(InvalidInput, match="`limit`"):
            await jobs_of(house).jobs(limit=0)
        with pytest.raises(InvalidInput, match="`user`"):
            await jobs_of(house).jobs(user=" ")


@pytest.mark.requirement("D8")
async def test_a_dead_job_that_is_retried_waits_anew_and_the_bell_rings() -> None:
    async with queued() as house:
        await house.dead("ann", "one")
        jobs = jobs_of(house)
        assert (await jobs.job(Scope("ann"), "one")).failure == TOO_LONG

        retried = await jobs.retry("ann", "one")

        assert (retried.state, retried.failures, retried.failure) == (State.WAITING, 0, None)
        assert house.bell.rung == ["one"]
        with pytest.raises(Conflict):
            await jobs.retry("ann", "one")
        with pytest.raises(NotFound):
            await jobs.retry("ben", "one")
        assert house.bell.rung == ["one"]


@pytest.mark.requirement("D8")
async def test_all_dead_jobs_are_retried_over_many_pages() -> None:
    async with queued() as house:
        await house.dead("ann", "one", "two", "three")
        await house.dead("ben", "four")
        await house.done("ben", "five")
        jobs = jobs_of(house, page=2)

        assert [job.id async for job in jobs.retry_dead("ben")] == ["four"]
        assert [job.id async for job in jobs.retry_dead()] == ["one", "two", "three"]
        assert house.bell.rung == ["four", "one", "two", "three"]
        assert [job.id async for job in jobs.retry_dead()] == []
        depth = await jobs.depth()
        assert (depth.waiting, depth.running, depth.dead) == (4, 0, 0)


@pytest.mark.requirement("D8")
async def test_a_worker_that_runs_meanwhile_begins_with_the_oldest_of_the_retried() -> None:
    async with queued() as house:
        await house.dead("ann", "one", "two", "three")

        retrying = jobs_of(house).retry_dead()
        await anext(retrying)
        claim = await house.queue.claim(now=MAY, lease=timedelta(minutes=1), batch=10)
        await retrying.aclose()

        assert claim is not None
        assert names(list(claim.jobs)) == ["one", "two", "three"]


async def test_a_dead_job_that_somebody_else_retries_first_is_passed_over() -> None:
    async with queued() as house:
        await house.dead("ann", "one")
        await house.dead("ben", "two", "three")
        jobs = jobs_of(house)

        retried = []
        async for job in jobs.retry_dead():
            retried.append(job.id)
            if job.id == "two":
                await jobs.retry("ann", "one")

        assert retried == ["two", "three"]


async def test_dead_jobs_of_somebody_who_cannot_be_named_are_refused() -> None:
    async with queued() as house:
        with pytest.raises(InvalidInput, match="`user`"):
            await anext(jobs_of(house).retry_dead(" "))
