"""What is old is swept once an hour, by the work in the background."""

from asyncio import Event, TaskGroup, timeout
from datetime import timedelta

import pytest
from tests.unit.services.house import ANN, House, a_house, heard

from memweaver.adapters.memory.courier import InMemoryCourier
from memweaver.app.found import Around
from memweaver.errors import BackendError
from memweaver.ports.replies import Reply
from memweaver.services import maintain as maintain_module
from memweaver.services.courtesy import Courtesy
from memweaver.services.maintain import Maintain
from memweaver.services.once import KEPT, Attempt
from memweaver.services.sweep import EVERY, TOO_LATE, Sweep
from memweaver.testing.doubles import Tally

WEEK = timedelta(days=7)
DONE = Reply(201, b"{}")


def sweep_of(house: House, keep: timedelta = WEEK) -> Sweep:
    backend = house.backend
    replies, webhooks, events = backend.replies, backend.webhooks, backend.events
    return Sweep(replies, webhooks, events, backend.access, house.clock, keep)


async def test_replies_are_kept_for_a_day() -> None:
    async with a_house() as house:
        once, sweep = house.services.once, sweep_of(house)
        attempt = await once.begin("ann", "k", b"one")
        assert isinstance(attempt, Attempt)
        await once.keep(attempt, DONE)
        house.clock.advance(KEPT - timedelta(minutes=1))
        await sweep()
        assert await once.begin("ann", "k", b"one") == DONE
        house.clock.advance(EVERY)
        await sweep()
        assert isinstance(await once.begin("ann", "k", b"two"), Attempt)


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


async def test_what_a_webhook_was_not_told_is_shown_before_it_is_forgotten() -> None:
    down = InMemoryCourier(failures=10**6)
    async with a_house(around=Around(figures=Tally(), courier=down)) as house:
        sweep, webhooks = sweep_of(house, timedelta(days=3)), house.services.webhooks
        made = await webhooks.add(ANN, "https://example.com/told", ["turn.recorded"])
        turns = [(await house.services.record(ANN, heard("hello"))).id for _ in range(60)]
        for _ in range(80):
            house.clock.advance(EVERY)
            await sweep()
            await webhooks.carry_next()
        losses = await webhooks.given_up(ANN, made.id)
        assert [loss.told.event.id for loss in losses] == turns[::-1]
        assert (losses[0].failure, losses[0].attempts) == (TOO_LATE, 0)
        assert losses[-1].failure == "it answered 500"


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
