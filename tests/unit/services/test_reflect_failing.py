"""Reflecting when something fails: retried, kept in part, given up with a reason, never silent."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

import pytest
from tests.unit.services.house import ANN, a_house, heard
from tests.unit.services.reflecting import AWAY, NONSENSE, TEA, reflected, texts

from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.domain.job import State
from memweaver.errors import (
    InvalidInput,
    MemweaverError,
    ModelOutputInvalid,
    ModelRefused,
    ModelUnavailable,
)
from memweaver.services.reflect import Outcome
from memweaver.testing.minds import ScriptedExtractor


@pytest.mark.requirement("D5")
async def test_every_aspect_is_extracted_and_one_may_fail_alone() -> None:
    failing = ScriptedExtractor({Aspect.EPISODIC: [AWAY]})
    async with a_house(extractor=failing) as house:
        turn = await house.services.record(ANN, TEA)
        assert await reflected(house) == [Outcome.RETRIED]
        assert await texts(house) == []
        job = await house.services.jobs.job(ANN, turn.id)
        assert (job.state, job.failures) == (State.WAITING, 1)
        assert job.failure
        assert job.failure.code == "model_unavailable"
        house.clock.advance(timedelta(minutes=5))
        assert await reflected(house) == [Outcome.DONE]
        assert await texts(house) == ["User likes tea."]
        asked = [aspect for scene, aspect in failing.asked if scene.turns[0].id == turn.id]
        assert asked.count(Aspect.SEMANTIC) == 1, "what was found is not paid for twice"
        assert asked.count(Aspect.EPISODIC) == 2


@pytest.mark.requirement("D5")
async def test_who_can_be_asked_again_for_nothing_is_asked_again() -> None:
    class Sure(ScriptedExtractor):
        @property
        def repeatable(self) -> bool:
            return True

    failing = Sure({Aspect.EPISODIC: [AWAY]})
    async with a_house(extractor=failing) as house:
        turn = await house.services.record(ANN, TEA)
        assert await reflected(house) == [Outcome.RETRIED]
        house.clock.advance(timedelta(minutes=5))
        assert await reflected(house) == [Outcome.DONE]
        assert await texts(house) == ["User likes tea."]
        asked = [aspect for scene, aspect in failing.asked if scene.turns[0].id == turn.id]
        assert asked.count(Aspect.SEMANTIC) == 2, "nothing was kept of the first attempt"


@pytest.mark.requirement("D5")
async def test_all_aspects_are_extracted_at_the_same_time() -> None:
    everybody = asyncio.Barrier(len(Aspect))

    class Meeting(ScriptedExtractor):
        async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
            async with everybody:
                return await ScriptedExtractor.extract(self, scene, aspect)

    async with asyncio.timeout(20), a_house(extractor=Meeting()) as house:
        await house.services.record(ANN, TEA)
        assert await reflected(house) == [Outcome.DONE]


@pytest.mark.requirement("D5")
async def test_what_was_found_is_kept_when_the_rest_is_given_up() -> None:
    failing = ScriptedExtractor({Aspect.PROCEDURAL: [ModelOutputInvalid("not JSON")] * 4})
    async with a_house(extractor=failing) as house:
        turn = await house.services.record(ANN, TEA)
        outcomes = []
        for _ in range(4):
            outcomes += await reflected(house)
            house.clock.advance(timedelta(hours=1))
        assert outcomes == [Outcome.RETRIED] * 3 + [Outcome.DEAD]
        assert await texts(house) == ["User likes tea."]
        job = await house.services.jobs.job(ANN, turn.id)
        assert job.state is State.DEAD
        assert job.failure
        assert job.failure.message == "procedural could not be extracted: not JSON"


@pytest.mark.requirement("D8", "X18")
async def test_a_model_that_fails_for_good_leaves_a_dead_job_and_no_silence() -> None:
    failing = ScriptedExtractor({aspect: [NONSENSE] * 4 for aspect in Aspect})
    async with a_house(extractor=failing) as house:
        turn = await house.services.record(ANN, TEA)
        for _ in range(4):
            await reflected(house)
            house.clock.advance(timedelta(hours=1))
        job = await house.services.jobs.job(ANN, turn.id)
        assert (job.state, job.failures) == (State.DEAD, 4)
        await house.services.jobs.retry("ann", turn.id)
        assert await reflected(house) == [Outcome.DONE]
        assert await texts(house) == ["User likes tea."]


async def test_a_provider_that_says_when_is_asked_then() -> None:
    busy = ModelUnavailable("busy", retry_after=900)
    async with a_house(extractor=ScriptedExtractor({Aspect.SEMANTIC: [busy]})) as house:
        turn = await house.services.record(ANN, TEA)
        await reflected(house)
        job = await house.services.jobs.job(ANN, turn.id)
        assert job.due_at - job.created_at > timedelta(seconds=900)


async def test_a_provider_that_asks_for_years_is_asked_within_the_hour() -> None:
    rude = ModelUnavailable("busy", retry_after=1e12)
    async with a_house(extractor=ScriptedExtractor({Aspect.SEMANTIC: [rude]})) as house:
        turn = await house.services.record(ANN, TEA)
        await reflected(house)
        job = await house.services.jobs.job(ANN, turn.id)
        assert job.due_at - job.created_at < timedelta(hours=2)


@pytest.mark.requirement("D5", "X18")
async def test_an_extractor_that_takes_too_long_is_away() -> None:
    hurried = Settings(reflector=ReflectorSettings(timeout=0.05))
    async with a_house(settings=hurried, extractor=ScriptedExtractor(seconds=60)) as house:
        turn = await house.services.record(ANN, TEA)
        assert await reflected(house) == [Outcome.RETRIED]
        job = await house.services.jobs.job(ANN, turn.id)
        assert job.failure
        assert job.failure.code == "model_unavailable"


class Poisoned(ScriptedExtractor):
    """Our own code breaks wherever it is shown a turn that says "poison"."""

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        shown = [*scene.before, *scene.turns]
        if any("poison" in turn.messages[0].text for turn in shown):
            raise RuntimeError("poison: this must not be told to anybody")
        return await ScriptedExtractor.extract(self, scene, aspect)


@pytest.mark.requirement("D8")
async def test_a_poison_turn_is_set_aside_and_the_others_go_on() -> None:
    async with a_house(extractor=Poisoned()) as house:
        said = [heard("FACT: A holds."), heard("poison"), heard("FACT: B holds.")]
        turns = await house.services.record.many(ANN, said)
        for _ in range(5):
            await reflected(house)
            house.clock.advance(timedelta(hours=1))
        states = [(await house.services.jobs.job(ANN, turn.id)).state for turn in turns]
        assert states == [State.DONE, State.DEAD, State.DONE]
        assert await texts(house) == ["A holds.", "B holds."]
        poisoned = await house.services.jobs.job(ANN, turns[1].id)
        assert poisoned.failure
        assert "RuntimeError" in poisoned.failure.message
        assert "must not be told" not in poisoned.failure.message


@pytest.mark.requirement("D8")
async def test_what_our_own_code_breaks_over_is_tried_once_more() -> None:
    async with a_house(extractor=Poisoned()) as house:
        await house.services.record(ANN, heard("poison"))
        assert await reflected(house) == [Outcome.RETRIED]
        house.clock.advance(timedelta(minutes=1))
        assert await reflected(house) == [Outcome.DEAD]


@pytest.mark.parametrize("error", [ModelRefused("wrong key"), ModelOutputInvalid("prose")])
async def test_several_that_fail_together_are_tried_alone_at_once(error: MemweaverError) -> None:
    failing = ScriptedExtractor({Aspect.SEMANTIC: [error]})
    async with a_house(extractor=failing) as house:
        await house.services.record.many(ANN, [TEA, heard("FACT: User swims.")])
        assert await reflected(house) == [Outcome.RETRIED, Outcome.DONE, Outcome.DONE]
        assert await texts(house) == ["User likes tea.", "User swims."]


async def test_what_cannot_be_mended_is_dead_at_once() -> None:
    hopeless = ScriptedExtractor({Aspect.SEMANTIC: [InvalidInput("no")]})
    async with a_house(extractor=hopeless) as house:
        await house.services.record(ANN, TEA)
        assert await reflected(house) == [Outcome.DEAD]


async def test_a_job_that_kills_every_worker_is_given_up() -> None:
    async with a_house() as house:
        turn = await house.services.record(ANN, TEA)
        for _ in range(20):
            await house.backend.queue.claim(
                now=house.clock.now(), lease=timedelta(seconds=1), batch=9
            )
            house.clock.advance(timedelta(minutes=1))
        assert await reflected(house) == [Outcome.DEAD]
        job = await house.services.jobs.job(ANN, turn.id)
        assert job.failure
        assert job.failure.code == "worker_died"
