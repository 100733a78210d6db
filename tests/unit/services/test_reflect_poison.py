"""Poison: a turn that a model chokes on wherever it is shown takes no other turn with it."""

from datetime import timedelta

import pytest
from tests.unit.services.house import ANN, House, a_house, heard
from tests.unit.services.reflecting import Failing, jobs, reflected, texts

from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.domain.candidate import Aspect
from memweaver.domain.job import Failure, State
from memweaver.domain.memory import Draft, Tier
from memweaver.errors import ModelOutputInvalid
from memweaver.services.reflect import Outcome
from memweaver.testing.minds import ScriptedExtractor

BROKEN = Failure("model_unavailable", "choked")
SAID = [f"FACT: Number {n}{n} holds." for n in range(9)]
SAID[1] = "poison"


async def set_aside(house: House) -> None:
    """Every attempt at what is due, until it is done or dead."""
    for _ in range(5):
        await reflected(house)
        house.clock.advance(timedelta(hours=1))


@pytest.mark.requirement("D8", "X18")
@pytest.mark.parametrize("together", [False, True])
async def test_of_nine_turns_only_the_poison_is_dead(*, together: bool) -> None:
    async with a_house(extractor=Failing(word="poison")) as house:
        if together:
            await house.services.record.many(ANN, [heard(text) for text in SAID])
            await set_aside(house)
        else:
            for text in SAID:
                await house.services.record(ANN, heard(text))
                await set_aside(house)
        states = [job.state for job in await jobs(house)]
        assert states == [State.DONE, State.DEAD, *[State.DONE] * 7]
        assert len(await texts(house)) == 8


async def test_nor_are_others_dead_when_nothing_is_tried_again() -> None:
    once = Settings(reflector=ReflectorSettings(max_retries=0))
    async with a_house(settings=once, extractor=Failing(word="poison")) as house:
        await house.services.record.many(ANN, [heard(text) for text in SAID[:3]])
        assert [await house.services.shift() for _ in range(4)] == [
            Outcome.RETRIED,
            Outcome.DONE,
            Outcome.DEAD,
            Outcome.DONE,
        ]


async def test_what_was_set_aside_is_not_shown_to_the_next() -> None:
    extractor = Failing(word="poison")
    async with a_house(extractor=extractor) as house:
        for text in SAID[:3]:
            await house.services.record(ANN, heard(text))
            await set_aside(house)
        assert [job.failures for job in await jobs(house)] == [0, 4, 0]
        scene, _ = extractor.asked[-1]
        assert [turn.messages[0].text for turn in scene.before] == [SAID[0]]


async def test_nor_are_episodes_that_were_drawn_from_it() -> None:
    async with a_house() as house:
        dead = await house.services.record(ANN, heard("something"))
        job = await house.backend.queue.claim(
            now=house.clock.now(), lease=timedelta(seconds=9), batch=1
        )
        assert job
        await house.services.shift.reflect.give_up(job, BROKEN)
        done = await house.services.record(ANN, heard("FACT: A holds."))
        await reflected(house)
        for text, source in (("Bad day", dead), ("Good day", done)):
            await house.services.curate.add(
                ANN, Draft(text, tier=Tier.EPISODIC, sources=(source.id,))
            )
        await house.services.record(ANN, heard("FACT: B holds."))
        await reflected(house)
        scene, _ = house.extractor.asked[-1]
        assert [memory.text for memory in scene.episodes] == ["Good day"]


async def test_what_failed_is_tried_again_without_what_came_before_it() -> None:
    extractor = ScriptedExtractor({Aspect.SEMANTIC: [None, ModelOutputInvalid("prose")]})
    async with a_house(extractor=extractor) as house:
        await house.services.curate.add(ANN, Draft("A day", tier=Tier.EPISODIC))
        await house.services.record(ANN, heard("FACT: A holds."))
        assert await reflected(house) == [Outcome.DONE]
        await house.services.record(ANN, heard("FACT: B holds."))
        assert await reflected(house) == [Outcome.RETRIED]
        scene, _ = extractor.asked[-1]
        assert (len(scene.before), len(scene.episodes)) == (1, 1)
        house.clock.advance(timedelta(hours=1))
        assert await reflected(house) == [Outcome.DONE]
        scene, _ = extractor.asked[-1]
        assert (len(scene.before), len(scene.episodes)) == (0, 0)
