"""Listen: each hears everything once and in order, from where it was."""

import asyncio
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from tests.unit.services.house import ANN, BOB, House, a_house, heard

from memweaver.background import beside
from memweaver.domain.event import Cursor, Event, Told
from memweaver.domain.memory import Draft
from memweaver.domain.permissions import AiPermissions
from memweaver.domain.scope import Scope
from memweaver.errors import BackendUnavailable
from memweaver.ports.events import Ears, EventLog, Events
from memweaver.services import listen as listening
from memweaver.services.listen import Hearer, Listen


class Ear:
    def __init__(self) -> None:
        self.heard: asyncio.Queue[str] = asyncio.Queue()

    async def __call__(self, told: Told) -> None:
        self.heard.put_nowait(told.event.id)

    async def some(self, count: int) -> list[str]:
        async with asyncio.timeout(10):
            return [await self.heard.get() for _ in range(count)]


async def said(house: House, count: int = 1, scope: Scope = ANN) -> list[str]:
    return [(await house.services.record(scope, heard("Hello"))).id for _ in range(count)]


async def test_a_hearer_is_told_what_it_missed_and_what_happens_then() -> None:
    async with a_house() as house, beside(house.services.listen.run()):
        ear, late, listen = Ear(), Ear(), house.services.listen
        before = await said(house, 3)
        await listen.hear(Hearer(ANN, 0, ear))
        assert await ear.some(3) == before
        then = await said(house, 2)
        await said(house, 1, BOB)
        assert await ear.some(2) == then
        await listen.hear(Hearer(ANN, 1, late))
        assert await late.some(4) == [*before, *then][1:]
        assert ear.heard.empty()


async def test_who_left_hears_nothing_more() -> None:
    async with a_house() as house:
        listen, ear = house.services.listen, Ear()
        first, second = Hearer(ANN, 0, ear), Hearer(ANN, 0, ear)
        for hearer in (first, second):
            await listen.hear(hearer)
        for hearer in (first, first, second):
            listen.leave(hearer)
        await said(house)
        await listen.look()
        assert ear.heard.empty()


async def test_who_is_not_ready_holds_up_nobody_and_misses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listening, "PAGE", 2)
    async with a_house() as house:
        listen, slow, quick = house.services.listen, Ear(), Ear()
        busy = True
        await listen.hear(Hearer(ANN, 0, slow, lambda: not busy))
        await listen.hear(Hearer(ANN, 0, quick))
        turns = await said(house, 5)
        await listen.look()
        assert await quick.some(5) == turns
        assert slow.heard.empty()
        busy = False
        await listen.look()
        assert await slow.some(5) == turns
        assert quick.heard.empty()


async def test_who_leaves_while_being_told_hears_nothing_more() -> None:
    async with a_house() as house:
        listen, ear, other = house.services.listen, Ear(), Ear()
        leaving = Hearer(ANN, 0, ear)

        async def leave(told: Told) -> None:
            await ear(told)
            listen.leave(leaving)

        leaving.tell = leave
        turns = await said(house, 3)
        await listen.hear(leaving)
        await listen.hear(Hearer(ANN, 0, other))
        assert await ear.some(1) == turns[:1]
        assert await other.some(3) == turns
        assert ear.heard.empty()


async def test_an_ai_hears_of_itself_only_whatever_others_share_with_it() -> None:
    async with a_house() as house:
        services, ear = house.services, Ear()
        await services.ais.register("ann", "cook", "Cook", AiPermissions(shares=("tutor",)))
        await services.ais.register("ann", "tutor", "Tutor")
        await services.listen.hear(Hearer(Scope("ann", "tutor"), 0, ear))
        shared = await services.curate.add(Scope("ann", "cook"), Draft("Ann likes tea."))
        assert (await services.curate.memory(Scope("ann", "tutor"), shared.id)) == shared
        own = await services.curate.add(Scope("ann", "tutor"), Draft("Ann likes cake."))
        await services.listen.look()
        assert await ear.some(1) == [own.id]
        assert ear.heard.empty()


async def test_who_listens_is_told_of_forgetting_at_once() -> None:
    async with a_house() as house:
        services, ear = house.services, Ear()
        await services.ais.register("ann", "cook", "Cook")
        made = await services.curate.add(Scope("ann", "cook"), Draft("Ann likes tea."))
        with house.around.events.listening() as ears:
            await services.forget.ai("ann", "cook")
            assert await ears.heard(0) == {"ann"}
        await services.listen.hear(Hearer(ANN, 0, ear))
        assert await ear.some(2) == [made.id, made.id]


async def test_what_others_wrote_is_found_by_looking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "PAGE", 2)
    async with a_house() as house:
        ear = Ear()
        listen = replace(house.services.listen, poll=0.01)
        await listen.hear(Hearer(Scope("ann", "work"), 0, ear))
        await said(house, 3)
        at_work = await said(house, 5, Scope("ann", "work"))
        async with beside(listen.run()):
            assert await ear.some(5) == at_work


class Rung(Events, Ears):
    """Hears what it is told to hear, and nothing by waiting."""

    def __init__(self, *heard: str) -> None:
        self._heard = iter(heard)

    async def ring(self, user: str) -> None:
        """Nobody listens."""

    @contextmanager
    def listening(self) -> Generator[Ears]:
        yield self

    async def heard(self, patience: float) -> frozenset[str]:
        for user in self._heard:
            return frozenset({user})
        silence: asyncio.Future[frozenset[str]] = asyncio.get_running_loop().create_future()
        return await silence


@pytest.mark.parametrize("poll", [0.0, 1000.0])
async def test_who_is_rung_for_is_told_or_everybody_if_it_is_time_to_look(poll: float) -> None:
    async with a_house() as house:
        ann, bob = Ear(), Ear()
        bell = Rung("nobody", "bob", "bob")
        log = Away(house.backend.events, 0)
        listen = replace(house.services.listen, bell=bell, poll=poll, events=log)
        for scope, ear in ((ANN, ann), (BOB, bob)):
            await listen.hear(Hearer(scope, 0, ear))
        await said(house, 1, ANN)
        turns = await said(house, 1, BOB)
        log.left = 1
        async with beside(listen.run()):
            assert await bob.some(1) == turns
        assert ann.heard.empty() == (poll > 0)


async def test_who_leaves_while_being_told_hears_no_further_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listening, "PAGE", 1)
    async with a_house() as house:
        listen, told = house.services.listen, list[int]()
        await said(house, 2)

        async def leave(one: Told) -> None:
            told.append(one.number)
            listen.leave(hearer)

        hearer = Hearer(ANN, 0, leave)
        await listen.hear(hearer)
        assert len(told) == 1


class Away(EventLog):
    """A log that cannot be read a few times."""

    def __init__(self, inner: EventLog, times: int) -> None:
        self._inner, self.left = inner, times

    async def append(self, events: Sequence[Event]) -> None:
        await self._inner.append(events)

    async def latest(self, users: Collection[str]) -> Mapping[str, int]:
        return await self._inner.latest(users)

    async def trim(self, before: datetime) -> int:
        return await self._inner.trim(before)

    async def since(self, scope: Scope, after: int, limit: int) -> Sequence[Told]:
        self.left -= 1
        if self.left >= 0:
            raise BackendUnavailable("the database is away")
        return await self._inner.since(scope, after, limit)


async def test_a_log_that_is_away_is_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    async with a_house() as house:
        ear = Ear()
        listen: Listen = replace(
            house.services.listen,
            events=Away(house.backend.events, 2),
            poll=0.01,
        )
        turns = await said(house)
        with pytest.raises(BackendUnavailable):
            await listen.hear(Hearer(ANN, 0, ear))
        async with beside(listen.run()):
            assert await ear.some(1) == turns
    assert "listeners wait: backend_unavailable" in caplog.messages


async def test_what_could_not_be_told_is_told_later_and_once() -> None:
    away = [BackendUnavailable("away")]

    async with a_house() as house:
        ear = Ear()

        async def tell(told: Told) -> None:
            if away:
                raise away.pop()
            await ear(told)

        listen = replace(house.services.listen, poll=0.01)
        turns = await said(house, 2)
        with pytest.raises(BackendUnavailable):
            await listen.hear(Hearer(ANN, 0, tell))
        async with beside(listen.run()):
            assert await ear.some(2) == turns
        assert ear.heard.empty()


async def test_where_somebody_begins() -> None:
    async with a_house() as house:
        listen = house.services.listen
        nothing = await listen.start("ann")
        assert (nothing.cursor.number, nothing.missed) == (0, False)
        await said(house, 2)
        [first, last] = await listen.since(ANN, None, 9)
        assert await listen.since(ANN, first.cursor, 9) == [last]
        assert (await listen.start("ann")).cursor.number == last.number
        assert await listen.start("ann", first.cursor) == listening.Start(first.cursor)
        ages_ago = Cursor(first.number, first.event.at - timedelta(days=30))
        assert await listen.start("ann", ages_ago) == listening.Start(ages_ago, missed=True)
        elsewhere = await listen.start("ann", Cursor(99, last.event.at))
        assert (elsewhere.cursor.number, elsewhere.missed) == (last.number, True)
