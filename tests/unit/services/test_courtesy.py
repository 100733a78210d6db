"""Courtesy: what can wait lets those go first who wait for an answer, but not for ever."""

import asyncio
from asyncio import Event, TaskGroup, timeout
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager

import pytest
from tests.unit.services.house import ANN, a_house, heard

from memweaver.app.afterwards import build_worker
from memweaver.app.found import Around
from memweaver.app.settings import Settings
from memweaver.background import beside
from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.domain.job import State
from memweaver.domain.memory import Vector
from memweaver.services import courtesy as courtesy_module
from memweaver.services.courtesy import SPELL, Courtesy
from memweaver.services.embed import PIECE
from memweaver.services.turnstile import CROWD
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
        with courtesy.serving("bob"):
            with courtesy.serving("bob"):
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
            with self._courtesy.serving("bob"):
                self.now += 1


async def test_whoever_comes_back_at_once_still_goes_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    courtesy = Courtesy(calm=5, longest=FOREVER)
    time = Time(courtesy, visitors=3)
    monkeypatch.setattr(courtesy_module, "get_running_loop", lambda: time)
    monkeypatch.setattr(courtesy_module, "sleep", time.sleep)
    with courtesy.serving("bob"):
        pass
    async with timeout(10):
        await courtesy.calm()
    assert (time.slept, time.now) == ([5, 5, 5, 5], 23)


async def test_work_does_not_wait_for_ever() -> None:
    courtesy = Courtesy(longest=0.001)
    with courtesy.serving("bob"):
        async with timeout(10):
            await courtesy.calm()


async def test_one_who_failed_is_served_no_longer() -> None:
    courtesy = Courtesy(calm=0, longest=FOREVER)
    with pytest.raises(ZeroDivisionError), courtesy.serving("bob"):
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
            with courtesy.serving("bob"):
                for _ in range(50):
                    await asyncio.sleep(0)
                assert not mind.begun.is_set()
            await mind.begun.wait()


@asynccontextmanager
async def crowd_of(courtesy: Courtesy, *users: str, beside: str = "bob") -> AsyncGenerator[None]:
    """So many of each of these users that it is a crowd, all at the turnstile at once."""
    leave = Event()

    async def one(user: str) -> None:
        async with courtesy.turnstile.passed(user):
            await leave.wait()

    courtesy.turnstile.seen(beside).seen = float("inf")  # however slow the machine is
    async with TaskGroup() as tasks:
        crowd = [tasks.create_task(one(user)) for user in users for _ in range(CROWD)]
        await asyncio.sleep(0)
        try:
            yield
        finally:
            for task in crowd:
                task.cancel()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps wait as long as it takes."""
    monkeypatch.setattr(courtesy_module, "MOMENT", FOREVER)


async def stays(task: asyncio.Task[None]) -> bool:
    """Whether it is still at it when everybody else has had their turn."""
    for _ in range(20):
        await asyncio.sleep(0)
    return not task.done()


@pytest.mark.usefixtures("patient")
async def test_one_of_a_crowd_lets_those_go_first_who_are_of_none() -> None:
    courtesy = Courtesy()
    async with timeout(10), crowd_of(courtesy, "ann"), TaskGroup() as tasks:
        with courtesy.serving("ann"):
            with courtesy.serving("bob"):
                with courtesy.serving("eve"):
                    step = tasks.create_task(courtesy.others_first("ann"))
                    assert await stays(step)
                assert await stays(step)
            await step


@pytest.mark.usefixtures("patient")
async def test_neither_a_few_nor_two_crowds_wait_for_each_other() -> None:
    courtesy = Courtesy()
    async with timeout(10):
        with courtesy.serving("bob"), courtesy.serving("ann"):
            await courtesy.others_first("ann")
            async with crowd_of(courtesy, "ann", "bob", beside="eve"):
                await courtesy.others_first("ann")


async def test_one_of_a_crowd_waits_for_a_moment_at_most() -> None:
    courtesy = Courtesy()
    async with timeout(10), crowd_of(courtesy, "ann"):
        with courtesy.serving("bob"):
            await courtesy.others_first("ann")
            await courtesy.gap()


@pytest.mark.usefixtures("patient")
async def test_a_step_of_the_background_waits_until_nobody_is_served() -> None:
    courtesy = Courtesy()
    async with timeout(10), TaskGroup() as tasks:
        with courtesy.serving("bob"):
            step = tasks.create_task(courtesy.gap())
            assert await stays(step)
        await step


@pytest.mark.parametrize("crowded", [True, False])
async def test_beside_a_crowd_one_step_is_done_at_a_time(*, crowded: bool) -> None:
    courtesy, doing, most = Courtesy(), 0, 0

    async def step() -> None:
        nonlocal doing, most
        async with courtesy.step():
            doing += 1
            most = max(most, doing)
            await asyncio.sleep(0)
            doing -= 1

    async with timeout(10), crowd_of(courtesy, *["ann"] * crowded), TaskGroup() as tasks:
        for _ in range(3):
            tasks.create_task(step())
    assert most == (1 if crowded else 3)


async def stepping(courtesy: Courtesy) -> None:
    async with courtesy.step():
        pass


async def test_beside_a_crowd_a_step_waits_while_somebody_is_served_but_not_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    courtesy = Courtesy()
    async with timeout(10), crowd_of(courtesy, "ann"), TaskGroup() as tasks:
        with courtesy.serving("bob"):
            await stepping(courtesy)
            monkeypatch.setattr(courtesy_module, "BRIEF", FOREVER)
            step = tasks.create_task(stepping(courtesy))
            assert await stays(step)
        await step


async def test_without_a_crowd_no_step_waits() -> None:
    courtesy = Courtesy()
    with courtesy.serving("bob"):
        assert not await stays(asyncio.create_task(stepping(courtesy)))


async def test_beside_a_crowd_all_that_follows_turns_goes_step_by_step() -> None:
    async with a_house() as house, timeout(10), TaskGroup() as tasks:
        services, courtesy = house.services, house.around.courtesy
        turn = await services.record(ANN, heard("I moved to Oslo."))
        worker = build_worker(Settings(), services, house.backend, house.around, house.clock)
        steps: list[Callable[[], Awaitable[object]]] = [
            services.embed,
            lambda: services.shift.reflect.working.fold(ANN, {turn.session}),
            worker._next,
        ]
        async with crowd_of(courtesy, "eve"):
            for step in steps:
                async with courtesy.step():
                    doing = tasks.create_task(ended(step()))
                    assert await stays(doing)
                await doing


async def test_beside_a_crowd_turns_are_reflected_upon_step_by_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mind = Thinking()
    mind.begun = Event()
    monkeypatch.setattr(courtesy_module, "BRIEF", FOREVER)
    async with a_house(extractor=mind) as house, timeout(10), TaskGroup() as tasks:
        services, courtesy = house.services, house.around.courtesy
        await services.record(ANN, heard("I moved to Oslo."))
        async with crowd_of(courtesy, "eve"):
            with courtesy.serving("bob"):
                shift = tasks.create_task(ended(services.shift()))
                assert await stays(shift)
                assert not mind.begun.is_set(), "nothing is read while somebody is served"
            await shift
        assert mind.begun.is_set()


async def test_beside_a_crowd_the_next_piece_of_work_waits_until_more_has_come_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    courtesy = Courtesy(calm=0)
    time = Time(courtesy, visitors=0)
    async with timeout(10), crowd_of(courtesy, "ann"):
        monkeypatch.setattr(courtesy_module, "get_running_loop", lambda: time)
        monkeypatch.setattr(courtesy_module, "sleep", time.sleep)
        first = await courtesy.calm()
        time.now += SPELL / 4
        assert await courtesy.calm(first) == first + SPELL
    slept, former = len(time.slept), await courtesy.calm()
    await courtesy.calm(former)
    assert len(time.slept) == slept, "nobody waits where there is no crowd"


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("asking", ["recall", "record"])
async def test_a_crowd_asks_and_tells_when_its_neighbour_was_served(asking: str) -> None:
    async with a_house() as house, timeout(10), TaskGroup() as tasks:
        services, courtesy = house.services, house.around.courtesy

        async def one() -> None:
            if asking == "recall":
                await services.recall(ANN, "Where do I live?")
            else:
                await services.record(ANN, heard("I moved to Oslo."))

        async with crowd_of(courtesy, ANN.user):
            with courtesy.serving("bob"):
                task = tasks.create_task(one())
                assert await stays(task)
            await task


class Counted(HashEmbedder):
    """Notes how many texts it is given at once; on this machine, or not."""

    def __init__(self, *, here: bool) -> None:
        super().__init__()
        self.given = list[int]()
        self._here = here

    @property
    def here(self) -> bool:
        return self._here

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.given.append(len(texts))
        return await super().embed(texts)


async def test_beside_a_crowd_records_are_embedded_in_small_pieces() -> None:
    embedder = Counted(here=True)
    async with a_house(embedder) as house, timeout(10):
        services, courtesy = house.services, house.around.courtesy
        places = [f"I was in place {number}." for number in range(2 * PIECE + 1)]
        await services.record.many(ANN, [heard(place) for place in places])
        async with crowd_of(courtesy, "eve"):
            await services.maintain.settled()
        assert embedder.given == [2] * PIECE + [1]
        assert (await services.embed.progress()).embedded == len(places)
        assert (await services.recall(ANN, places[5])).hits[0].text == places[5]


async def test_a_model_elsewhere_is_given_all_at_once() -> None:
    embedder = Counted(here=False)
    async with a_house(embedder) as house, timeout(10):
        services, courtesy = house.services, house.around.courtesy
        await services.record.many(ANN, [heard(f"It is {n}.") for n in range(2 * PIECE)])
        async with crowd_of(courtesy, "eve"):
            await services.maintain.settled()
        assert embedder.given == [2 * PIECE]


@pytest.mark.usefixtures("patient")
async def test_a_crowd_that_goes_does_not_wait_for_its_own() -> None:
    courtesy = Courtesy()
    async with timeout(10), TaskGroup() as tasks:
        with courtesy.serving("ann"):
            with courtesy.serving("bob"):
                async with crowd_of(courtesy, "ann"):
                    step = tasks.create_task(courtesy.others_first("ann"))
                    assert await stays(step)
            await step


@pytest.mark.usefixtures("patient")
async def test_what_was_made_in_the_background_is_written_when_nobody_waits() -> None:
    async with a_house() as house, timeout(10), TaskGroup() as tasks:
        services, courtesy = house.services, house.around.courtesy
        turn = await services.record(ANN, heard("I moved to Oslo."))
        with courtesy.serving("bob"):
            embedding = tasks.create_task(services.maintain.settled())
            shift = tasks.create_task(ended(services.shift()))
            assert await stays(embedding)
            assert await stays(shift)
            assert (await services.embed.progress()).embedded == 0
            assert (await services.jobs.job(ANN, turn.id)).state is State.RUNNING
        await embedding
        await shift
        assert (await services.embed.progress()).embedded == 1
        assert (await services.jobs.job(ANN, turn.id)).state is State.DONE


async def ended(work: Awaitable[object]) -> None:
    await work
