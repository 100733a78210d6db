"""What is observed does the same as before, and can be looked at."""

import pytest
from tests.unit.services.queued import NotedBell, queued

from memweaver.adapters.memory.near import NearWindows
from memweaver.app.observed import MeteredDoorbell, WatchedWindows
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.errors import BackendUnavailable
from memweaver.testing.doubles import Tally


@pytest.mark.requirement("D11")
async def test_a_doorbell_is_counted_when_rung_and_when_heard() -> None:
    tally, bell = Tally(), NotedBell("backend_unavailable")
    metered = MeteredDoorbell(bell, tally)
    async with queued() as house:
        await house.waiting("ann", "one")
        job = await house.queue.job(Scope("ann"), "one")

    assert metered.trouble == "backend_unavailable"
    assert not await metered.heard(0)
    await metered.ring([job, job])
    assert await metered.heard(0)

    assert bell.rung == ["one", "one"]
    assert tally.told("doorbell_rings", side="rung") == 2
    assert tally.told("doorbell_rings", side="heard") == 1
    await metered.toll([job])
    assert bell.tolled == ["one"]


class SometimesAway(NearWindows):
    away = False

    async def window(self, scope: Scope, session: str) -> Window | None:
        if self.away:
            raise BackendUnavailable("Redis does not answer")
        return await super().window(scope, session)


async def test_windows_that_are_away_are_in_trouble_until_they_are_back() -> None:
    inner, ann = SometimesAway(), Scope("ann")
    windows = WatchedWindows(inner)
    await windows.keep(ann, "monday", Window(summary="Ann moved."))
    assert windows.trouble is None

    inner.away = True
    with pytest.raises(BackendUnavailable):
        await windows.window(ann, "monday")
    assert windows.trouble == "backend_unavailable"

    inner.away = False
    assert await windows.window(ann, "monday") == Window(summary="Ann moved.")
    assert windows.trouble is None
    await windows.forget("ann")
    assert await windows.window(ann, "monday") is None
