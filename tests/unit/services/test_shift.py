"""Shifts: a sign of life while working, giving back when told to stop, and working promptly."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from tests.unit.services.house import ANN, House, a_house, heard
from tests.unit.services.reflecting import TEA

from memweaver.app.afterwards import build_worker
from memweaver.app.found import Around
from memweaver.app.sections import ReflectorSettings, WorkingSettings
from memweaver.app.settings import Settings
from memweaver.background import beside
from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.domain.conversation import Turn
from memweaver.domain.job import State
from memweaver.errors import BackendUnavailable, ModelUnavailable
from memweaver.ports.queue import Claim, Queue
from memweaver.services.courtesy import Courtesy
from memweaver.services.reflect import Outcome
from memweaver.services.reflect.worker import Worker
from memweaver.testing.doubles import FailingEmbedder, HashEmbedder, Tally
from memweaver.testing.minds import LastWords, ScriptedExtractor

QUICK = Settings(reflector=ReflectorSettings(lease=0.3, poll=0.02, workers=2))
STILL = timedelta()
AWAY = AsyncMock(side_effect=BackendUnavailable("away"))
PROMPT = Settings(reflector=ReflectorSettings(fast_mode=False, timeout=2.0))


def worker_of(house: House, settings: Settings = QUICK) -> Worker:
    return build_worker(settings, house.services, house.backend, house.around, house.clock)


async def until(state: State, house: House, turn_id: str) -> None:
    async with asyncio.timeout(10):
        while (await house.services.jobs.job(ANN, turn_id)).state is not state:  # noqa: ASYNC110 - the queue tells nobody
            await asyncio.sleep(0.01)


def a_slow_house(seconds: float, settings: Settings = QUICK) -> AbstractAsyncContextManager[House]:
    """Where time stands still for leases, but extraction takes a while."""
    return a_house(step=STILL, settings=settings, extractor=ScriptedExtractor(seconds=seconds))


async def test_without_work_there_is_nothing_to_do() -> None:
    async with a_house() as house:
        assert await house.services.shift() is None


async def test_a_slow_shift_gives_signs_of_life() -> None:
    async with a_house(
        step=STILL, settings=QUICK, extractor=ScriptedExtractor(seconds=0.5)
    ) as house:
        beats = []
        heartbeat = type(house.backend.queue).heartbeat

        async def noted(self: Queue, claim: Claim, *, until: datetime) -> None:
            beats.append(until)
            await heartbeat(self, claim, until=until)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(house.backend.queue), "heartbeat", noted)
            await house.services.record(ANN, TEA)
            assert await house.services.shift() is Outcome.DONE
        assert len(beats) >= 2


async def test_who_lost_the_lease_stops_at_once() -> None:
    async with a_house(
        step=STILL, settings=QUICK, extractor=ScriptedExtractor(seconds=60)
    ) as house:
        await house.services.record(ANN, TEA)
        async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
            slow = tasks.create_task(house.services.shift())
            await asyncio.sleep(0.05)
            house.clock.advance(timedelta(minutes=1))
            assert await house.backend.queue.claim(
                now=house.clock.now(), lease=timedelta(minutes=1), batch=9
            )
            assert await slow is Outcome.LOST


async def test_a_sign_of_life_that_cannot_be_given_is_tried_again() -> None:
    async with a_house(
        step=STILL, settings=QUICK, extractor=ScriptedExtractor(seconds=0.5)
    ) as house:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(house.backend.queue), "heartbeat", AWAY)
            await house.services.record(ANN, TEA)
            assert await house.services.shift() is Outcome.DONE


@pytest.mark.parametrize("trouble", [None, "lost", "away"])
async def test_who_is_stopped_gives_it_back(trouble: str | None) -> None:
    async with a_house(extractor=ScriptedExtractor(seconds=60)) as house:
        turn = await house.services.record(ANN, TEA)
        async with asyncio.TaskGroup() as tasks:
            slow = tasks.create_task(house.services.shift())
            await asyncio.sleep(0.05)
            assert (await house.services.jobs.job(ANN, turn.id)).state is State.RUNNING
            with pytest.MonkeyPatch.context() as patch:
                if trouble == "away":
                    patch.setattr(type(house.backend.queue), "release", AWAY)
                if trouble == "lost":
                    house.clock.advance(timedelta(minutes=1))
                    await house.backend.queue.claim(
                        now=house.clock.now(), lease=timedelta(minutes=1), batch=9
                    )
                slow.cancel()
                await asyncio.wait([slow])
        assert slow.cancelled()
        job = await house.services.jobs.job(ANN, turn.id)
        assert (job.state is State.WAITING) == (trouble is None)
        assert job.attempts == {None: 0, "away": 1, "lost": 2}[trouble]


@pytest.mark.requirement("D12", "C12")
async def test_without_the_fast_mode_the_answer_waits_for_the_reflection() -> None:
    async with a_house(step=STILL, settings=PROMPT) as house:
        turn = await house.services.record(ANN, TEA)
        assert (await house.services.jobs.job(ANN, turn.id)).state is State.DONE


async def test_promptly_waits_for_somebody_who_is_at_it() -> None:
    async with a_house(
        step=STILL, settings=PROMPT, extractor=ScriptedExtractor(seconds=0.2)
    ) as house:
        async with asyncio.TaskGroup() as tasks:
            one = tasks.create_task(house.services.record(ANN, TEA))
            other = tasks.create_task(house.services.record(ANN, heard("FACT: User swims.")))
        for task in (one, other):
            job = await house.services.jobs.job(ANN, task.result().id)
            assert job.state is State.DONE


@pytest.mark.requirement("C3", "C11", "D1")
@pytest.mark.parametrize("error", [ModelUnavailable("away"), RuntimeError("unforeseen")])
@pytest.mark.parametrize("embedder", [HashEmbedder, FailingEmbedder])
async def test_promptly_never_fails_the_caller(
    embedder: type[HashEmbedder], error: Exception
) -> None:
    class Broken(ScriptedExtractor):
        async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
            raise error

    async with a_house(embedder(), PROMPT, step=STILL, extractor=Broken()) as house:
        turn = await house.services.record(ANN, TEA)
        assert (await house.services.jobs.job(ANN, turn.id)).state is State.WAITING
        assert await house.services.shift.promptly(ANN, "no such job") is State.WAITING
        [hit] = (await house.services.recall(ANN, "tea")).hits
        assert hit.ref.id == turn.id


async def test_promptly_has_an_end() -> None:
    hurried = Settings(reflector=ReflectorSettings(fast_mode=False, timeout=0.1))
    async with a_house(settings=hurried, extractor=ScriptedExtractor(seconds=60)) as house:
        turn = await house.services.record(ANN, TEA)
        assert (await house.services.jobs.job(ANN, turn.id)).state is State.WAITING


async def test_without_a_queue_nothing_is_left_to_do() -> None:
    off = Settings(reflector=ReflectorSettings(queue_enabled=False))
    async with a_house(settings=off) as house:
        await house.services.record(ANN, TEA)
        assert (await house.services.jobs.depth()).waiting == 0


@pytest.mark.requirement("D1", "D8")
async def test_a_worker_works_until_told_to_stop() -> None:
    async with a_house(step=STILL, settings=QUICK) as house:
        worker = worker_of(house)
        async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
            running = tasks.create_task(worker.run())
            await asyncio.sleep(0.1)  # long enough to look in vain
            turn = await house.services.record(ANN, TEA)
            await until(State.DONE, house, turn.id)
            worker.stop()
            await running


async def test_a_worker_finishes_what_it_began() -> None:
    async with a_house(
        step=STILL, settings=QUICK, extractor=ScriptedExtractor(seconds=0.3)
    ) as house:
        worker = worker_of(house)
        async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
            tasks.create_task(worker.run())
            turn = await house.services.record(ANN, TEA)
            await until(State.RUNNING, house, turn.id)
            worker.stop()
        assert (await house.services.jobs.job(ANN, turn.id)).state is State.DONE


async def test_a_worker_gives_back_what_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memweaver.services.reflect.worker.GRACE", 0.05)
    async with a_house(
        step=STILL, settings=QUICK, extractor=ScriptedExtractor(seconds=60)
    ) as house:
        worker = worker_of(house)
        async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
            tasks.create_task(worker.run())
            turn = await house.services.record(ANN, TEA)
            await until(State.RUNNING, house, turn.id)
            worker.stop()
        job = await house.services.jobs.job(ANN, turn.id)
        assert (job.state, job.attempts) == (State.WAITING, 0)


async def test_a_worker_outlives_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_house(step=STILL, settings=QUICK) as house:
        claim, failures = type(house.backend.queue).claim, [0]

        async def flaky(self: Queue, **more: Any) -> Claim | None:
            if failures[0] < 3:
                failures[0] += 1
                raise BackendUnavailable("away")
            return await claim(self, **more)

        monkeypatch.setattr(type(house.backend.queue), "claim", flaky)
        monkeypatch.setattr(type(house.backend.queue), "sweep", AWAY)
        worker = worker_of(house)
        async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
            tasks.create_task(worker.run())
            turn = await house.services.record(ANN, TEA)
            await until(State.DONE, house, turn.id)
            worker.stop()
        assert failures == [3]


async def test_a_worker_told_to_stop_while_it_looks_does_not_rest_first() -> None:
    async with a_house() as house:
        patient = Settings(reflector=ReflectorSettings(poll=60, workers=1))
        worker = worker_of(house, patient)

        async def stopping() -> None:
            worker.stop()

        worker.shift = Mock(claim=AsyncMock(side_effect=stopping))
        async with asyncio.timeout(10):
            await worker.run()


async def test_while_there_is_nothing_for_one_the_others_do_not_look() -> None:
    many = Settings(reflector=ReflectorSettings(poll=60, workers=3))
    async with a_house(settings=many) as house, asyncio.timeout(20):
        worker = worker_of(house, many)
        looked = worker.shift = Mock(
            claim=AsyncMock(return_value=None), see_to=AsyncMock(return_value=Outcome.DONE)
        )
        async with beside(worker.run(), stop=worker.stop):
            await settled()
            assert looked.claim.await_count == 1
            looked.claim.side_effect = ["work", "work", *[None] * 9]
            await worker._wake()
            await settled()
        assert looked.see_to.await_count == 2
        assert looked.claim.await_count <= 7, "one for each that ended, and one by itself"


async def test_what_came_while_its_user_was_being_served_is_not_left_lying() -> None:
    many = Settings(reflector=ReflectorSettings(poll=60, workers=3))
    async with a_slow_house(0.2, many) as house, asyncio.timeout(20):
        worker = worker_of(house, many)
        async with beside(worker.run(), stop=worker.stop):
            first = await house.services.record(ANN, TEA)
            await until(State.RUNNING, house, first.id)
            second = await house.services.record(ANN, heard("FACT: User likes milk."))
            await until(State.DONE, house, second.id)


async def test_where_one_was_let_go_the_others_look_too() -> None:
    many = Settings(reflector=ReflectorSettings(poll=60, workers=3))
    courtesy = Courtesy(calm=0, longest=0.5)
    around = Around(figures=Tally(), courtesy=courtesy)
    async with a_house(settings=many, around=around) as house, asyncio.timeout(20):
        worker = worker_of(house, many)
        looked = worker.shift = Mock(
            claim=AsyncMock(side_effect=["work", "work", *[None] * 9]), see_to=AsyncMock()
        )
        with courtesy.serving("bob"):
            async with beside(worker.run(), stop=worker.stop):
                await asyncio.sleep(0.7)  # one wait until it is calm, and a little
                assert looked.claim.await_count >= 3


async def settled() -> None:
    for _ in range(50):
        await asyncio.sleep(0)


async def test_a_slow_summary_is_made_after_the_job_is_done() -> None:
    class Slow(LastWords):
        async def summary(self, before: str, turns: Sequence[Turn], tokens: int) -> str:
            await asyncio.sleep(0.5)
            return await super().summary(before, turns, tokens)

    settings = QUICK.model_copy(update={"working": WorkingSettings(budget=10, summary=20)})
    async with a_house(step=STILL, settings=settings, summariser=Slow()) as house:
        for number in range(3):
            await house.services.record(ANN, heard(f"{number} " + "word " * 10))
        assert await house.services.shift() is Outcome.DONE
        assert (await house.services.working(ANN, "default")).summary


async def test_a_worker_outlives_what_nobody_expected() -> None:
    async with a_house(step=STILL, settings=QUICK) as house:
        worker = worker_of(house)
        working = worker.shift
        worker.shift = Mock(
            claim=AsyncMock(side_effect=[OverflowError("odd"), await working.claim()])
        )
        async with asyncio.timeout(20), asyncio.TaskGroup() as tasks:
            tasks.create_task(worker.run())
            await asyncio.sleep(0.4)
            worker.stop()
        assert worker.shift.claim.await_count > 1
