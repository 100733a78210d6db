"""Jobs that were given up: seen by whoever runs the house, without a word of what was said."""

import pytest
from tests.wire.house import House

from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.job import Failure, Priority
from memweaver.domain.scope import Scope

SECRET = "The spare key lies under the fern."


def a_dead_job(house: House, user: str) -> str:
    """A turn whose job has died; recorded past the worker, which may still be quicker."""
    queue, clock = house.services.jobs.queue, house.services.jobs.clock

    async def die() -> str:
        claim = None
        while claim is None:
            now, name = clock.now(), clock.new_id()
            turn = Turn(name, Scope(user), "s", now, now, (Message(Role.USER, SECRET),))
            await house.services.curate.store.record([turn], priority=Priority.NORMAL)
            claim = await queue.claim(now=now, lease=house.services.shift.lease, batch=1, user=user)
        failure = Failure("model_output_invalid", "no JSON")
        await queue.fail(claim, failure, now=now, retry_at=None)
        return claim.jobs[0].id

    assert house.client.portal
    return house.client.portal.call(die)


@pytest.mark.requirement("D8")
def test_a_dead_job_is_listed_retried_and_discarded(house: House) -> None:
    visitor = house.admin()
    name = a_dead_job(house, visitor.user)
    page = visitor.ask(f"GET /v1/admin/jobs?user={visitor.user}")
    [job] = page.json()["items"]
    assert (job["job_id"], job["state"], job["code"]) == (name, "dead", "model_output_invalid")
    assert SECRET not in page.text

    discarded = visitor.ask(f"DELETE /v1/admin/jobs/{name}?user={visitor.user}")
    assert discarded.status_code == 204
    assert visitor.ask(f"GET /v1/turns/{name}").status_code == 200

    again = a_dead_job(house, visitor.user)
    retried = visitor.ask(f"POST /v1/admin/jobs/{again}/retry?user={visitor.user}")
    assert (retried.status_code, retried.json()["state"]) == (200, "waiting")


def test_jobs_are_for_whoever_runs_the_house(house: House) -> None:
    visitor, name = house.visitor(), "anything"
    for request_line in (
        "GET /v1/admin/jobs",
        f"POST /v1/admin/jobs/{name}/retry?user={visitor.user}",
        f"DELETE /v1/admin/jobs/{name}?user={visitor.user}",
    ):
        assert visitor.ask(request_line).status_code == 403
