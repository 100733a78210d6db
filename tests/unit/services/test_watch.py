"""Watching: the figures, with how much there is to do at this moment."""

from datetime import timedelta
from math import isnan

import pytest
from tests.unit.services.queued import QueueAway, queued

from memweaver.services.watch import Watch
from memweaver.testing.doubles import Tally


@pytest.mark.requirement("D11")
async def test_the_queue_is_read_whenever_somebody_looks() -> None:
    async with queued() as house:
        await house.waiting("ann", "one", "two")
        await house.running("ben", "three")
        await house.dead("cat", "four")
        tally = Tally()
        watch = Watch(house.queue, tally, house.clock)

        house.clock.advance(timedelta(seconds=90))
        page = await watch()

        states = {state: tally.told("queue_jobs", state=state) for state in STATES}
        assert states == {"waiting": 2, "running": 1, "dead": 1}
        assert tally.told("queue_oldest_seconds") == 90
        assert tally.told("queue_readable") == 1
        assert page == tally.page() != ""


@pytest.mark.requirement("D11")
async def test_an_empty_queue_has_no_age() -> None:
    async with queued() as house:
        await house.done("ann", "one")
        house.clock.advance(timedelta(days=1))
        tally = Tally()
        await Watch(house.queue, tally, house.clock)()

        assert tally.told("queue_oldest_seconds") == 0


async def test_a_clock_that_is_behind_makes_no_negative_age() -> None:
    async with queued() as house:
        await house.waiting("ann", "one")
        house.clock.advance(timedelta(seconds=-5))
        tally = Tally()
        await Watch(house.queue, tally, house.clock)()

        assert tally.told("queue_oldest_seconds") == 0


async def test_a_queue_that_cannot_be_read_shows_no_former_number() -> None:
    async with queued() as house:
        await house.waiting("ann", "one")
        tally = Tally()
        await Watch(house.queue, tally, house.clock)()
        away = Watch(QueueAway(), tally, house.clock)  # type: ignore[arg-type] # only depth is asked

        await away()

        assert all(isnan(tally.told("queue_jobs", state=state)) for state in STATES)
        assert isnan(tally.told("queue_oldest_seconds"))
        assert tally.told("queue_readable") == 0


STATES = ("waiting", "running", "dead")
