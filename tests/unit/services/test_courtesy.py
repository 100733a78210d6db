"""Courtesy: what can wait lets those go first who wait for an answer, but not for ever."""

import asyncio
from asyncio import Event, TaskGroup, timeout
from collections.abc import Sequence

import pytest
from tests.unit.services.house import ANN, a_house, heard

from memweaver.app.settings import Settings
from memweaver.app.wiring import Around, build_worker
from memweaver.background import beside
from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.domain.memory import Vector
from memweaver.services import courtesy as courtesy_module
from memweaver.services.courtesy import Courtesy
from memweaver.testing.doubles import HashEmbedder, Tally
from memweaver.testing.minds import ScriptedExtractor

FOREVER = 3600.0


class Held(HashEmbedder):
    """Makes questions wait until told."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.answer = Event(), Event()

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.asked.set()
        await self.answer.wait()
        return await super().embed(texts)


async def test_nobody_there_is_nothing_to_wait_for() -> None:
    async with timeout(10):
        await Courtesy(calm=FOREVER, longest=FOREVER).calm()


async def test_work_waits_until_the_last_one_is_served() -> None:
    courtesy, done = Courtesy(calm=0, longest=FOREVER), list[str]()

    async def work() -> None:
        await courtesy.calm()
        done.append("work")

    async with timeout(10), TaskGroup() as tasks:
        with courtesy.serving():
            with courtesy.serving():
                tasks.create_task(work())
                await asyncio.sleep(0)
            await asyncio.sleep(0)
            done.append("served")
    assert done == ["served", "work"]


class Time:
    """Passes while somebody sleeps, and only then; meanwhile `visitors` come and are served."""

    def __init__(self, courtesy: Courtesy, visitors: int) -> None:
        self.now, self.slept = 0.0, list[float]()
        self._courtesy, self._visitors = courtesy, visitors

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        if self._visitors:
            self._visitors -= 1
            with self._courtesy.serving():
                self.now += 1


async def test_whoever_comes_back_at_once_still_goes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    courtesy = Courtesy(calm=5, longest=FOREVER)
    time = Time(courtesy, visitors=3)
    monkeypatch.setattr(courtesy_module, "get_running_loop", lambda: time)
    monkeypatch.setattr(courtesy_module, "sleep", time.sleep)
    with courtesy.serving():
        pass
    async with timeout(10):
        await courtesy.calm()
    assert (time.slept, time.now) == ([5, 5, 5, 5], 23)


async def test_work_does_not_wait_for_ever() -> None:
    courtesy = Courtesy(longest=0.001)
    with courtesy.serving():
        async with timeout(10):
            await courtesy.calm()


async def test_one_who_failed_is_served_no_longer() -> None:
    courtesy = Courtesy(calm=0, longest=FOREVER)
    with pytest.raises(ZeroDivisionError), courtesy.serving():
        raise ZeroDivisionError
    async with timeout(10):
        await courtesy.calm()


async def test_turns_are_embedded_when_whoever_asks_has_been_answered() -> None:
    embedder = Held()
    around = Around(figures=Tally(), courtesy=Courtesy(calm=0, longest=FOREVER))
    async with a_house(embedder, around=around) as house, timeout(10), TaskGroup() as tasks:
        services = house.services
        await services.record(ANN, heard("I moved to Oslo."))
        asking = tasks.create_task(services.recall(ANN, "Where do I live?"))
        await embedder.asked.wait()
        settling = tasks.create_task(services.maintain.settled_in_peace())
        await asyncio.sleep(0)
        assert (await services.embed.progress()).embedded == 0
        embedder.answer.set()
        assert (await asking).hits
        await settling
        assert (await services.embed.progress()).embedded == 1


class Thinking(ScriptedExtractor):
    """Tells when it is asked for the first time."""

    begun: Event

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        self.begun.set()
        return await super().extract(scene, aspect)


async def test_turns_are_reflected_upon_when_nobody_waits() -> None:
    mind, courtesy = Thinking(), Courtesy(calm=0, longest=FOREVER)
    mind.begun = Event()
    around = Around(figures=Tally(), courtesy=courtesy)
    async with a_house(around=around, extractor=mind) as house, timeout(10):
        worker = build_worker(Settings(), house.services, house.backend, around, house.clock)
        await house.services.record(ANN, heard("I moved to Oslo."))
        async with beside(worker.run(), stop=worker.stop):
            with courtesy.serving():
                for _ in range(50):
                    await asyncio.sleep(0)
                assert not mind.begun.is_set()
            await mind.begun.wait()
