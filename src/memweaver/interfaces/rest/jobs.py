"""/v1/admin/jobs: the jobs that were given up, and another chance for them."""

from typing import Annotated

from fastapi import APIRouter, Query, status

from memweaver.domain.principal import HOME, Principal
from memweaver.errors import InvalidInput, NotFound
from memweaver.interfaces.door import Admin, Memweaver
from memweaver.interfaces.rest.once import ONCE, OnceRoute
from memweaver.interfaces.rest.paging import Pages
from memweaver.interfaces.rest.wire.answers import PageAnswer
from memweaver.interfaces.rest.wire.jobs import JobAnswer, JobQuery, JobsQuery
from memweaver.services import Services

router = APIRouter(prefix="/v1/admin/jobs", tags=["admin"], route_class=OnceRoute)


@router.get("")
async def list_jobs(
    services: Memweaver, caller: Admin, pages: Pages, query: Annotated[JobsQuery, Query()]
) -> PageAnswer[JobAnswer]:
    """Jobs of everybody, by default those that were given up, latest first.

    Who is not at home in this house asks about one user of their organisation.
    """
    if caller.organisation != HOME:
        if query.user is None:
            raise InvalidInput("`user` must name somebody of your organisation")
        await services.accounts.account(query.user, caller.organisation)
    page = await services.jobs.jobs(
        states=query.states(),
        user=query.user,
        before=await pages.position(query.cursor),
        limit=query.limit,
    )
    return await pages.answer(page, JobAnswer.of)


@router.post("/{job_id}/retry", dependencies=[ONCE])
async def retry_job(
    services: Memweaver, caller: Admin, job_id: str, query: Annotated[JobQuery, Query()]
) -> JobAnswer:
    """Let a dead job wait anew, as if it had never failed."""
    await in_charge(services, caller, query.user, job_id)
    return JobAnswer.of(await services.jobs.retry(query.user, job_id))


@router.delete("/{job_id}", status_code=status.HTTP_204_NO_CONTENT)
async def discard_job(
    services: Memweaver, caller: Admin, job_id: str, query: Annotated[JobQuery, Query()]
) -> None:
    """Forget a dead job; the turn it was to reflect upon stays."""
    await in_charge(services, caller, query.user, job_id)
    await services.jobs.discard(query.user, job_id)


async def in_charge(services: Services, caller: Principal, user: str, job_id: str) -> None:
    """From home of everybody, otherwise of one's own organisation. Raises `NotFound`."""
    if caller.organisation == HOME:
        return
    try:
        await services.accounts.account(user, caller.organisation)
    except NotFound as error:
        raise NotFound(f"there is no job {job_id!r}") from error
