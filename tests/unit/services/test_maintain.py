"""Maintaining: the background work begins when woken and survives failures."""

from asyncio import Event, TaskGroup, sleep, timeout
from dataclasses import replace

import pytest
from tests.unit.services.house import ANN, a_house

from memweaver.domain.conversation import Message, Role, Said
from memweaver.ports.index import Index
from memweaver.services import maintain as maintain_module
from memweaver.services.courtesy import Courtesy
from memweaver.services.maintain import Maintain
from memweaver.testing.doubles import FailingEmbedder

HELLO = Said((Message(Role.USER, "I moved to Oslo"),))


class Watched(Maintain):
    """Tells when everything has been done once."""

    def __init__(self, inner: Maintain) -> None:
        super().__init__(inner._embed, inner._index, inner._sweep, Courtesy())
        self.done = Event()

    async def settled_in_peace(self) -> None:
        await super().settled_in_peace()
        self.done.set()


@pytest.mark.requirement("C3")
async def test_a_model_that_fails_is_asked_again_until_it_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(maintain_module, "FIRST_PAUSE", 0.001)
    embedder = FailingEmbedder(times=3)
    async with a_house(embedder) as house:
        await house.services.record(ANN, HELLO)
        watched = Watched(house.services.maintain)
        async with timeout(10), TaskGroup() as tasks:
            work = tasks.create_task(watched.run())
            await watched.done.wait()
            work.cancel()
        assert (embedder.asked, (await house.services.embed.progress()).embedded) == (4, 1)


async def test_a_write_wakes_the_work() -> None:
    async with a_house() as house:
        watched = Watched(house.services.maintain)
        record = replace(house.services.record, maintain=watched)
        async with timeout(10), TaskGroup() as tasks:
            work = tasks.create_task(watched.run())
            await watched.done.wait()
            watched.done.clear()
            await record(ANN, HELLO)
            await watched.done.wait()
            work.cancel()
        assert (await house.services.embed.progress()).embedded == 1


async def test_without_being_woken_it_looks_again_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(maintain_module, "IDLE", 0.001)
    rounds = Event()

    class Counting:
        times = 0

        async def maintain(self) -> None:
            self.times += 1
            if self.times == 3:
                rounds.set()

    async with a_house() as house:
        index: Index = Counting()  # type: ignore[assignment] # only `maintain` is called
        maintain = Maintain(house.services.embed, index, house.services.maintain._sweep, Courtesy())
        async with timeout(10), TaskGroup() as tasks:
            work = tasks.create_task(maintain.run())
            await rounds.wait()
            work.cancel()


async def test_work_that_nobody_foresaw_failing_goes_on_and_is_seen(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(maintain_module, "FIRST_PAUSE", 0.001)
    failed, mended = Event(), Event()

    class Breaking:
        times = 0

        async def maintain(self) -> None:
            self.times += 1
            if self.times == 1:
                failed.set()
                raise ZeroDivisionError
            mended.set()

    async with a_house() as house:
        index: Index = Breaking()  # type: ignore[assignment] # only `maintain` is called
        maintain = Maintain(house.services.embed, index, house.services.maintain._sweep, Courtesy())
        health = replace(house.services.health, maintain=maintain)
        async with timeout(10), TaskGroup() as tasks:
            work = tasks.create_task(maintain.run())
            await failed.wait()
            await sleep(0)
            report = await health()
            assert report.status == "degraded"
            assert report.parts["background"] == {"status": "failed", "code": "error"}
            await mended.wait()
            work.cancel()
        assert "ZeroDivisionError" in caplog.text


async def test_a_backlog_is_said_when_the_work_begins(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(maintain_module, "BACKLOG", 1)
    caplog.set_level("INFO")
    async with a_house() as house:
        await house.services.record.many(ANN, [HELLO, HELLO])
        watched = Watched(house.services.maintain)
        async with timeout(10), TaskGroup() as tasks:
            work = tasks.create_task(watched.run())
            await watched.done.wait()
            work.cancel()
    assert "2 of 2 records have no vector by words yet" in caplog.text


async def test_a_model_that_is_away_is_not_asked_again_for_every_record() -> None:
    away = FailingEmbedder()
    async with a_house(away) as house, TaskGroup() as tasks:
        running = tasks.create_task(house.services.maintain.run())
        for _ in range(20):
            await house.services.record(ANN, HELLO)
            await sleep(0.005)
        running.cancel()
    assert away.asked == 1
