"""What is old is swept once an hour, by the work in the background."""

from asyncio import Event, TaskGroup, timeout
from datetime import timedelta

import pytest
from tests.unit.services.house import ANN, House, a_house, heard

from memweaver.errors import BackendError
from memweaver.ports.replies import Reply
from memweaver.services import maintain as maintain_module
from memweaver.services.courtesy import Courtesy
from memweaver.services.maintain import Maintain
from memweaver.services.once import KEPT
from memweaver.services.sweep import EVERY, Sweep

WEEK = timedelta(days=7)
DONE = Reply(201, b"{}")


def sweep_of(house: House, keep: timedelta = WEEK) -> Sweep:
    backend = house.backend
    return Sweep(backend.replies, backend.events, backend.access, house.clock, keep)


async def test_replies_are_kept_for_a_day() -> None:
    async with a_house() as house:
        once, sweep = house.services.once, sweep_of(house)
        await once.begin("ann", "k", b"one")
        await once.keep("ann", "k", DONE)
        house.clock.advance(KEPT - timedelta(minutes=1))
        await sweep()
        assert await once.begin("ann", "k", b"one") == DONE
        house.clock.advance(EVERY)
        await sweep()
        assert await once.begin("ann", "k", b"two") is None


async def test_what_happened_is_told_for_as_long_as_was_said() -> None:
    async with a_house() as house:
        sweep, log = sweep_of(house), house.backend.events
        await house.services.record(ANN, heard("hello"))
        house.clock.advance(WEEK - timedelta(minutes=1))
        await sweep()
        assert len(await log.since(ANN, 0, 9)) == 1
        house.clock.advance(EVERY)
        await sweep()
        assert await log.since(ANN, 0, 9) == []


async def test_a_token_that_was_logged_out_is_remembered_until_it_expires() -> None:
    async with a_house() as house:
        sweep, access = sweep_of(house), house.backend.access
        await access.revoke_token("t", house.clock.now() + EVERY)
        await sweep()
        assert await access.token_revoked("t")
        house.clock.advance(EVERY)
        await sweep()
        assert not await access.token_revoked("t")


async def test_within_the_hour_nothing_is_swept_again() -> None:
    async with a_house() as house:
        sweep, access = sweep_of(house), house.backend.access
        await sweep()
        await access.revoke_token("t", house.clock.now())
        await sweep()
        assert await access.token_revoked("t")


async def test_the_work_in_the_background_sweeps_and_tries_again_when_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(maintain_module, "FIRST_PAUSE", 0.001)
    async with a_house() as house:
        access, tried, swept = house.backend.access, Event(), Event()
        await access.revoke_token("t", house.clock.now())
        sweep = sweep_of(house)

        async def unsteady() -> None:
            if not tried.is_set():
                tried.set()
                raise BackendError("locked")
            await sweep()
            swept.set()

        index = house.services.recall.index
        maintain = Maintain(house.services.embed, index, unsteady, Courtesy())
        async with timeout(10), TaskGroup() as tasks:
            work = tasks.create_task(maintain.run())
            await swept.wait()
            work.cancel()
        assert not await access.token_revoked("t")
