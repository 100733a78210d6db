"""Outages: nobody's fault, so they are waited out; and turns that only look like one."""

from datetime import timedelta
from unittest.mock import AsyncMock

import pytest
from tests.unit.services.house import ANN, House, a_house, heard
from tests.unit.services.reflecting import AWAY, Failing, jobs

from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.domain.job import State
from memweaver.errors import (
    BackendUnavailable,
    MemweaverError,
    ModelBusy,
    ModelOutputInvalid,
    ModelRefused,
    StorageFull,
)
from memweaver.services.reflect import Outcome
from memweaver.services.reflect.pulse import Pulse
from memweaver.testing.doubles import FailingEmbedder, HashEmbedder, StoppedClock
from memweaver.testing.minds import ScriptedExtractor

TWO = [heard("FACT: User likes tea."), heard("FACT: User swims.")]
REFUSED = ModelRefused("check its API key")


async def worked(house: House, times: int, pause: timedelta) -> list[Outcome | None]:
    """What becomes of the next attempt, so many times, with a pause after each."""
    outcomes = []
    for _ in range(times):
        outcomes.append(await house.services.shift())
        house.clock.advance(pause)
    return outcomes


@pytest.mark.requirement("D8", "X18")
@pytest.mark.parametrize("error", [AWAY, REFUSED])
async def test_a_model_that_is_away_for_hours_costs_no_job(error: MemweaverError) -> None:
    extractor = Failing(error=error)
    async with a_house(extractor=extractor) as house:
        await house.services.record.many(ANN, TWO)
        assert set(await worked(house, 40, timedelta(minutes=6))) == {Outcome.RETRIED}
        for job in await jobs(house):
            assert (job.state, job.attempts, job.failures) == (State.WAITING, 0, 0)
            assert job.failure
            assert job.failure.code == error.code
        extractor.error = None
        assert await house.services.shift() is Outcome.DONE
        assert {len(scene.turns) for scene, _ in extractor.asked} == {2}


async def test_it_is_looked_for_ever_more_rarely_but_at_least_every_five_minutes() -> None:
    async with a_house(extractor=Failing()) as house:
        await house.services.record(ANN, TWO[0])
        rests = []
        for _ in range(9):
            await house.services.shift()
            [job] = await jobs(house)
            rests.append(job.due_at - house.clock.now())
            house.clock.advance(rests[-1] + timedelta(seconds=1))
        assert rests[0] < timedelta(seconds=31)
        assert timedelta(minutes=2) < rests[-1] < timedelta(minutes=5)


@pytest.mark.requirement("D8")
async def test_an_outage_that_never_ends_is_given_up_after_a_day() -> None:
    async with a_house(extractor=Failing()) as house:
        await house.services.record.many(ANN, TWO)
        outcomes = await worked(house, 26, timedelta(hours=1))
        assert outcomes == [Outcome.RETRIED] * 24 + [Outcome.DEAD, None]
        assert {(job.state, job.failures) for job in await jobs(house)} == {(State.DEAD, 1)}


@pytest.mark.requirement("D8")
async def test_a_turn_is_given_up_only_when_it_has_waited_an_outage_out_itself() -> None:
    async with a_house(extractor=Failing()) as house:
        await house.services.record(ANN, TWO[0])
        await worked(house, 23, timedelta(hours=1))
        await house.services.record(ANN, TWO[1])
        assert set(await worked(house, 24, timedelta(hours=1))) == {Outcome.RETRIED}
        assert {job.state for job in await jobs(house)} == {State.WAITING}
        assert await house.services.shift() is Outcome.DEAD
        assert {(job.state, job.failures) for job in await jobs(house)} == {(State.DEAD, 1)}


async def test_a_young_turn_does_not_make_an_old_outage_be_looked_at_more_often() -> None:
    async with a_house(extractor=Failing()) as house:
        await house.services.record(ANN, TWO[0])
        await worked(house, 3, timedelta(hours=1))
        await house.services.record(ANN, TWO[1])
        await house.services.shift()
        for job in await jobs(house):
            assert job.due_at - house.clock.now() > timedelta(minutes=2)


@pytest.mark.parametrize("error", [AWAY, REFUSED])
async def test_a_turn_that_a_model_chokes_on_is_set_aside_and_the_others_go_on(
    error: MemweaverError,
) -> None:
    async with a_house(extractor=Failing(error=error, word="poison")) as house:
        said = [heard("FACT: A holds."), heard("poison"), heard("FACT: B holds.")]
        await house.services.record.many(ANN, said)
        outcomes = await worked(house, 7, timedelta(hours=1))
        assert outcomes.count(Outcome.DEAD) == 1
        states = [job.state for job in await jobs(house)]
        assert states == [State.DONE, State.DEAD, State.DONE]


async def test_a_model_with_too_much_to_do_blames_nobody() -> None:
    async with a_house(extractor=Failing(error=ModelBusy("429"), word="FACT")) as house:
        await house.services.record.many(ANN, TWO)
        assert set(await worked(house, 9, timedelta(hours=1))) == {Outcome.RETRIED}
        assert {job.failures for job in await jobs(house)} == {0}


@pytest.mark.parametrize("error", [BackendUnavailable("away"), StorageFull("no room")])
async def test_a_database_that_takes_nothing_blames_nobody(error: MemweaverError) -> None:
    async with a_house() as house:
        await house.services.record.many(ANN, TWO)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type(house.backend.queue), "settle", AsyncMock(side_effect=error))
            assert set(await worked(house, 9, timedelta(hours=1))) == {Outcome.RETRIED}
        assert await house.services.shift() is Outcome.DONE


async def test_how_long_is_a_setting() -> None:
    hasty = Settings(reflector=ReflectorSettings(outage=0))
    async with a_house(settings=hasty, extractor=Failing()) as house:
        await house.services.record(ANN, TWO[0])
        assert await house.services.shift() is Outcome.DEAD


@pytest.mark.parametrize(
    ("extractor", "well"),
    [
        (ScriptedExtractor(), True),
        (Failing(error=ModelOutputInvalid("prose")), True),
        (Failing(error=AWAY), False),
        (Failing(error=REFUSED), False),
        (ScriptedExtractor(seconds=60), False),
    ],
)
async def test_whoever_answers_is_well(extractor: ScriptedExtractor, *, well: bool) -> None:
    pulse = Pulse(extractor, HashEmbedder(), StoppedClock(), 0.1)
    assert await pulse() is well


async def test_without_an_embedder_nobody_is_well() -> None:
    assert not await Pulse(ScriptedExtractor(), FailingEmbedder(), StoppedClock(), 0.1)()
