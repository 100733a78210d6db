"""Webhooks: told in order, tried again, given up in the end."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

import pytest
from tests.unit.services.house import ANN, BOB, House, a_house, heard

from memweaver.adapters.memory.courier import InMemoryCourier
from memweaver.app.found import Around
from memweaver.background import beside
from memweaver.domain.event import Cursor
from memweaver.domain.scope import Scope
from memweaver.domain.webhook import MOST, Webhook, pause_after
from memweaver.errors import (
    BackendUnavailable,
    InvalidInput,
    MemweaverError,
    NotFound,
    ReceiverError,
    TooLarge,
    Unreadable,
)
from memweaver.ports.webhooks import Due, WebhookStore
from memweaver.services import webhooks as told_by
from memweaver.services.cursors import Cursors
from memweaver.testing.doubles import Tally

URL = "https://example.com/told"


def around(courier: InMemoryCourier) -> Around:
    return Around(figures=Tally(), courier=courier)


def subjects(courier: InMemoryCourier) -> list[str]:
    return [json.loads(body)["subject"] for _, body, _ in courier.carried]


async def said(house: House, count: int) -> list[str]:
    return [(await house.services.record(ANN, heard("Hello"))).id for _ in range(count)]


async def test_events_are_carried_in_their_order_and_once() -> None:
    courier = InMemoryCourier()
    async with a_house(around=around(courier)) as house:
        await house.services.webhooks.add(ANN, URL, ["turn.recorded"])
        turns = await said(house, 25)
        while await house.services.webhooks.carry_next():
            pass
        assert subjects(courier) == turns


async def test_what_is_not_wanted_is_passed_over() -> None:
    courier = InMemoryCourier()
    async with a_house(around=around(courier)) as house:
        await house.services.webhooks.add(ANN, URL, ["job.dead"])
        await said(house, 2)
        assert await house.services.webhooks.carry_next()
        assert not await house.services.webhooks.carry_next()
        assert courier.carried == []


async def test_what_fails_is_tried_again_later_and_given_up_in_the_end() -> None:
    courier = InMemoryCourier(failures=3)
    async with a_house(around=around(courier)) as house:
        webhooks = replace(house.services.webhooks, attempts=3)
        made = await webhooks.add(ANN, URL)
        turns = await said(house, 2)
        for _ in range(60):  # the clock goes on a second each time it is looked at
            await webhooks.carry_next()
        [loss] = await webhooks.given_up(ANN, made.id)
        assert (loss.told.event.id, loss.attempts, loss.failure) == (turns[0], 3, "it answered 500")
        assert subjects(courier) == turns[1:]


async def test_what_happens_while_an_account_is_disabled_is_told_when_it_is_enabled() -> None:
    courier = InMemoryCourier()
    async with a_house(around=around(courier)) as house:
        accounts, webhooks = house.services.accounts, house.services.webhooks
        await accounts.add("ann@example.org", "Ann", "a long sentence nobody guesses", user="ann")
        await webhooks.add(ANN, URL, ["turn.recorded"])
        await accounts.disable("ann")
        turns = await said(house, 2)
        assert not await webhooks.carry_next()
        await accounts.enable("ann")
        assert await webhooks.carry_next()
        assert subjects(courier) == turns


async def test_a_webhook_is_tested_at_once() -> None:
    courier = InMemoryCourier()
    async with a_house(around=around(courier)) as house:
        made = await house.services.webhooks.add(ANN, URL)
        await house.services.webhooks.test(ANN, made.id)
        courier.failures = 1
        with pytest.raises(ReceiverError):
            await house.services.webhooks.test(ANN, made.id)
        assert json.loads(courier.carried[0][1])["kind"] == "test"


async def test_webhooks_are_their_owners() -> None:
    async with a_house() as house:
        webhooks, work = house.services.webhooks, Scope("ann", "work")
        mine, its = await webhooks.add(ANN, URL), await webhooks.add(work, URL)
        assert await webhooks.all(ANN) == [mine, its]
        assert await webhooks.all(work) == [its]
        for scope, name in ((BOB, mine.id), (work, mine.id)):
            with pytest.raises(NotFound):
                await webhooks.remove(scope, name)
        await webhooks.remove(ANN, mine.id)
        assert await webhooks.all(ANN) == [its]


async def test_one_that_cannot_be_opened_is_not_tested_but_removed() -> None:
    async with a_house() as house:
        webhooks, scope = house.services.webhooks, Scope("ann", "work")
        made = Webhook("w1", scope, "", "", house.clock.now(), unreadable=True)
        await house.backend.webhooks.add(made)
        assert await webhooks.all(ANN) == [made]
        with pytest.raises(Unreadable, match="remove it"):
            await webhooks.test(scope, "w1")
        await webhooks.remove(scope, "w1")
        assert await webhooks.all(ANN) == []


async def test_there_is_a_limit_and_kinds_are_known() -> None:
    async with a_house() as house:
        for _ in range(MOST):
            await house.services.webhooks.add(ANN, URL)
        with pytest.raises(TooLarge):
            await house.services.webhooks.add(ANN, URL)
        with pytest.raises(InvalidInput, match="`kinds`"):
            await house.services.webhooks.add(BOB, URL, ["everything"])


@dataclass
class Restless:
    """A store that is away the first time."""

    asked: int = 0
    again: asyncio.Event | None = None

    async def next(self, *, now: datetime, until: datetime, limit: int) -> Due | None:
        self.asked += 1
        if self.asked == 1:
            raise BackendUnavailable("the database is away")
        assert self.again
        self.again.set()
        return None


async def test_a_store_that_is_away_is_asked_again(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told_by, "POLL", 0.01)
    monkeypatch.setattr(told_by, "CARRIERS", 1)
    store = Restless(again=asyncio.Event())
    async with a_house() as house:
        webhooks = replace(house.services.webhooks, store=store)  # type: ignore[arg-type] # all it asks
        async with asyncio.timeout(10), beside(webhooks.run()):
            assert store.again
            await store.again.wait()
    assert "webhooks wait: backend_unavailable" in caplog.messages


@dataclass
class Told:
    """Tells when there is nothing more to carry."""

    inner: WebhookStore
    idle: asyncio.Event

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)

    async def next(self, *, now: datetime, until: datetime, limit: int) -> Due | None:
        due = await self.inner.next(now=now, until=until, limit=limit)
        if due is None:
            self.idle.set()
        return due


async def test_all_that_waits_is_carried_and_then_what_happens_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(told_by, "CARRIERS", 1)
    courier, idle = InMemoryCourier(), asyncio.Event()
    async with a_house(around=around(courier)) as house:
        store = Told(house.backend.webhooks, idle)
        webhooks = replace(house.services.webhooks, store=store)  # type: ignore[arg-type] # all it asks
        await webhooks.add(ANN, URL, ["turn.recorded"])
        before = await said(house, 2)
        async with asyncio.timeout(10), beside(webhooks.run()):
            await idle.wait()
            assert subjects(courier) == before
            idle.clear()
            then = await said(house, 1)
            await idle.wait()
        assert subjects(courier) == [*before, *then]


@dataclass
class Hanging(InMemoryCourier):
    """Never comes back from `where`, or with the `nth` thing it carries; says when it has `all`."""

    where: str = ""
    nth: int = 0
    all: int = 0
    hung: asyncio.Event = field(default_factory=asyncio.Event)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        if url == self.where or len(self.carried) + 1 == self.nth:
            self.hung.set()
            await asyncio.Event().wait()
        await asyncio.sleep(0)  # others have their turn meanwhile, as on a network
        await InMemoryCourier.post(self, url, body, headers)
        if len(self.carried) == self.all:
            self.done.set()


async def test_who_is_stopped_has_told_what_was_told_and_others_go_on_at_once() -> None:
    courier = Hanging(nth=2)
    async with a_house(around=around(courier)) as house:
        webhooks = house.services.webhooks
        await webhooks.add(ANN, URL, ["turn.recorded"])
        turns = await said(house, 3)
        async with asyncio.timeout(10), beside(webhooks.run()):
            await courier.hung.wait()
        assert subjects(courier) == turns[:1]
        courier.nth = 0
        assert await webhooks.carry_next()
        assert subjects(courier) == turns


async def test_a_stop_keeps_how_often_it_was_tried() -> None:
    courier = Hanging(failures=1)
    async with a_house(around=around(courier)) as house:
        webhooks = replace(house.services.webhooks, attempts=2)
        made = await webhooks.add(ANN, URL)
        [turn] = await said(house, 1)
        await webhooks.carry_next()
        house.clock.advance(pause_after(1))
        courier.nth = 1
        async with asyncio.timeout(10), beside(webhooks.run()):
            await courier.hung.wait()
        courier.nth, courier.failures = 0, 1
        await webhooks.carry_next()
        [loss] = await webhooks.given_up(ANN, made.id)
        assert (loss.told.event.id, loss.attempts) == (turn, 2)


@dataclass
class Leasing(Told):
    """Takes its time to say what was leased, or that nothing could be."""

    error: MemweaverError | None = None
    asked: asyncio.Event = field(default_factory=asyncio.Event)

    async def next(self, *, now: datetime, until: datetime, limit: int) -> Due | None:
        due = None if self.error else await self.inner.next(now=now, until=until, limit=limit)
        self.asked.set()
        await asyncio.sleep(0.01)
        if self.error:
            raise self.error
        return due


@pytest.mark.parametrize("count", [0, 1])
@pytest.mark.parametrize("error", [None, BackendUnavailable("the database is away")])
async def test_who_is_stopped_while_leasing_leaves_nothing_leased(
    count: int, error: MemweaverError | None
) -> None:
    courier = InMemoryCourier()
    async with a_house(around=around(courier)) as house:
        store = Leasing(house.backend.webhooks, asyncio.Event(), error)
        webhooks = replace(house.services.webhooks, store=store)  # type: ignore[arg-type] # all it asks
        await webhooks.add(ANN, URL, ["turn.recorded"])
        turns = await said(house, count)
        async with asyncio.timeout(10), beside(webhooks.run()):
            await store.asked.wait()
        assert courier.carried == []
        assert await house.services.webhooks.carry_next() == bool(count)
        assert subjects(courier) == turns


@dataclass
class Unsettled(Told):
    """Cannot keep how far anything came."""

    async def settle(self, due: Due, **_: object) -> None:
        raise BackendUnavailable("the database is away")


async def test_a_stop_is_not_forgotten_when_the_store_is_away(
    caplog: pytest.LogCaptureFixture,
) -> None:
    courier = Hanging(where=URL)
    async with a_house(around=around(courier)) as house:
        store = Unsettled(house.backend.webhooks, asyncio.Event())
        webhooks = replace(house.services.webhooks, store=store)  # type: ignore[arg-type] # all it asks
        await webhooks.add(ANN, URL)
        await said(house, 1)
        async with asyncio.timeout(10), beside(webhooks.run()):
            await courier.hung.wait()
    assert "a webhook waits for its lease to run out: backend_unavailable" in caplog.messages


async def test_who_cannot_settle_goes_on(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told_by, "CARRIERS", 1)
    courier = InMemoryCourier()
    async with a_house(around=around(courier)) as house:
        store = Unsettled(house.backend.webhooks, asyncio.Event())
        webhooks = replace(house.services.webhooks, store=store)  # type: ignore[arg-type] # all it asks
        await webhooks.add(ANN, URL, ["turn.recorded"])
        turns = await said(house, 1)
        async with asyncio.timeout(10), beside(webhooks.run()):
            await store.idle.wait()
        assert subjects(courier) == turns
    assert "webhooks wait: backend_unavailable" in caplog.messages


@dataclass
class Clumsy(InMemoryCourier):
    """Stumbles over the second thing it carries."""

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        if len(self.carried) == 1:
            raise ZeroDivisionError
        await InMemoryCourier.post(self, url, body, headers)


async def test_what_nobody_foresaw_counts_as_a_failure_and_is_raised() -> None:
    courier = Clumsy()
    async with a_house(around=around(courier)) as house:
        webhooks = replace(house.services.webhooks, attempts=2)
        made = await webhooks.add(ANN, URL, ["turn.recorded"])
        turns = await said(house, 3)
        for _ in range(2):
            with pytest.raises(ZeroDivisionError):
                await webhooks.carry_next()
            house.clock.advance(pause_after(1))
        [loss] = await webhooks.given_up(ANN, made.id)
        assert (loss.told.event.id, loss.failure) == (turns[1], "something went wrong on our side")
        assert subjects(courier) == turns[:1]


class Away(Cursors):
    """Cannot sign anything at the moment."""

    async def told(self, scope: Scope, cursor: Cursor) -> str:
        raise BackendUnavailable("the database could not be reached")


async def test_a_failure_of_the_house_itself_is_no_attempt() -> None:
    courier = InMemoryCourier()
    async with a_house(around=around(courier)) as house:
        webhooks = replace(house.services.webhooks, attempts=1)
        made = await webhooks.add(ANN, URL, ["turn.recorded"])
        turns = await said(house, 1)
        for _ in range(3):
            with pytest.raises(BackendUnavailable):
                await replace(webhooks, cursors=Away(house.services.signing)).carry_next()
            assert not await webhooks.carry_next()
            house.clock.advance(pause_after(1))
        assert await webhooks.given_up(ANN, made.id) == []
        assert await webhooks.carry_next()
        assert subjects(courier) == turns


async def test_those_that_hang_hold_up_nobody_else() -> None:
    slow, quick = f"{URL}/slow", f"{URL}/quick"
    courier = Hanging(where=slow, all=2)
    async with a_house(around=around(courier)) as house:
        for url in [slow] * (told_by.CARRIERS - 1) + [quick]:
            await house.services.webhooks.add(ANN, url, ["turn.recorded"])
        turns = await said(house, 2)
        async with asyncio.timeout(5), beside(house.services.webhooks.run()):
            await courier.done.wait()
        assert subjects(courier) == turns


@dataclass
class Counted(Told):
    """Counts how often it is asked."""

    asked: int = 0

    async def next(self, *, now: datetime, until: datetime, limit: int) -> Due | None:
        self.asked += 1
        return await Told.next(self, now=now, until=until, limit=limit)


async def test_what_happens_wakes_one_carrier_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_by, "POLL", 60.0)
    async with a_house() as house:
        store = Counted(house.backend.webhooks, asyncio.Event())
        webhooks = replace(house.services.webhooks, store=store)  # type: ignore[arg-type] # all it asks
        async with asyncio.timeout(10), beside(webhooks.run()):
            for times in (1, 2, 3):
                await store.idle.wait()
                for _ in range(20):  # whoever else was woken asks meanwhile
                    await asyncio.sleep(0)
                assert store.asked == times
                store.idle.clear()
                await webhooks.bell.ring("ann")


async def test_whoever_has_carried_looks_for_more_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told_by, "POLL", 60.0)
    courier = Hanging(all=2 * told_by.SOME + 1)
    async with a_house(around=around(courier)) as house:
        await house.services.webhooks.add(ANN, URL, ["turn.recorded"])
        turns = await said(house, courier.all)
        async with asyncio.timeout(5), beside(house.services.webhooks.run()):
            await courier.done.wait()
        assert subjects(courier) == turns
