"""Reflecting: from a turn to memories, once."""

from collections.abc import Sequence
from dataclasses import replace
from unittest.mock import AsyncMock

import pytest
from tests.unit.services.house import ANN, NEW_YEAR, a_house, heard
from tests.unit.services.reflecting import TEA, reflected, texts

from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.domain.candidate import Aspect, Candidate, CandidateKind, Relation, Scene
from memweaver.domain.conversation import Message, Role, Said, Turn
from memweaver.domain.job import Priority, State
from memweaver.domain.memory import Draft, Tier
from memweaver.errors import Unreadable
from memweaver.services.reflect import Outcome
from memweaver.testing.minds import ScriptedExtractor


@pytest.mark.requirement("C11", "D1")
async def test_a_turn_becomes_a_memory_that_names_it() -> None:
    async with a_house() as house:
        turn = await house.services.record(ANN, TEA)
        assert await reflected(house) == [Outcome.DONE]
        [memory] = (await house.services.curate.memories(ANN)).items
        assert (memory.text, memory.tier) == ("User likes tea.", Tier.SEMANTIC)
        assert memory.sources == (turn.id,)
        assert (await house.services.jobs.job(ANN, turn.id)).state is State.DONE
        hits = (await house.services.recall(ANN, "tea")).hits
        assert memory.id in {hit.ref.id for hit in hits}


@pytest.mark.requirement("D13")
async def test_saying_it_again_changes_nothing() -> None:
    async with a_house() as house:
        for _ in range(3):
            await house.services.record(ANN, TEA)
            await reflected(house)
        await house.services.record.many(ANN, [TEA, TEA])
        await reflected(house)
        [memory] = (await house.services.curate.memories(ANN)).items
        assert memory.revision == 1


@pytest.mark.requirement("D6")
async def test_waiting_turns_are_looked_at_together() -> None:
    async with a_house() as house:
        await house.services.record.many(ANN, [heard(f"FACT: Fact {n} holds.") for n in range(4)])
        assert await reflected(house) == [Outcome.DONE]
        assert len(await texts(house)) == 4
        assert {len(scene.turns) for scene, _ in house.extractor.asked} == {4}


@pytest.mark.requirement("C9")
async def test_what_an_extractor_tells_beside_the_text_is_kept() -> None:
    class Telling(ScriptedExtractor):
        async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
            if aspect is not Aspect.SEMANTIC:
                return []
            relation = Relation("Giulia", "person", "reports_to", "User", "person")
            fact = Candidate("x", CandidateKind.RELATION, Tier.RELATIONAL, scene.turns[0].id)
            return [
                replace(fact, text="Giulia reports to User.", relation=relation),
                replace(fact, text="User lives in Oslo.", tier=Tier.SEMANTIC, attribute="home"),
                replace(fact, text="Nobody said this.", source="a turn of somebody else"),
            ]

    async with a_house(extractor=Telling()) as house:
        await house.services.record(ANN, TEA)
        await reflected(house)
        told = {
            memory.text: memory.metadata
            for memory in (await house.services.curate.memories(ANN)).items
        }
        assert told.keys() == {"Giulia reports to User.", "User lives in Oslo."}
        assert told["User lives in Oslo."]["attribute"] == "home"
        related = told["Giulia reports to User."]["relation"]
        assert isinstance(related, dict)
        assert related["predicate"] == "reports_to"


async def test_what_was_recalled_into_a_turn_is_shown_as_known() -> None:
    async with a_house() as house:
        await house.services.record(ANN, TEA)
        await reflected(house)
        [known] = (await house.services.curate.memories(ANN)).items
        said = Said(
            (Message(Role.USER, "Something else"),),
            metadata={"recalled": [known.id, "gone", 7]},
        )
        await house.services.record(ANN, said)
        await reflected(house)
        scene, _ = house.extractor.asked[-1]
        assert [memory.id for memory in scene.known] == [known.id]
        assert [turn.messages[0].text for turn in scene.before] == ["FACT: User likes tea."]


@pytest.mark.requirement("C11")
async def test_an_extractor_is_shown_core_memory_and_the_latest_episodes() -> None:
    async with a_house() as house:
        await house.services.curate.add(ANN, Draft("Dana", tier=Tier.CORE, key="name"))
        for number in range(7):
            await house.services.curate.add(ANN, Draft(f"Day {number}", tier=Tier.EPISODIC))
        await house.services.record(ANN, TEA)
        await reflected(house)
        scene, _ = house.extractor.asked[-1]
        assert [memory.text for memory in scene.core] == ["Dana"]
        assert [memory.text for memory in scene.episodes] == [f"Day {n}" for n in (6, 5, 4, 3, 2)]


async def test_a_backlog_keeps_its_context() -> None:
    small = Settings(reflector=ReflectorSettings(batch_size=1))
    async with a_house(settings=small) as house:
        for number in range(230):
            await house.backend.store.record([a_turn(number)], priority=Priority.NORMAL)
        for _ in range(7):
            await house.services.shift()
        shown = [[turn.id for turn in scene.before] for scene, _ in house.extractor.asked[::3]]
        assert shown[0] == []
        assert shown[6] == ["t002", "t003", "t004", "t005"]


def a_turn(number: int) -> Turn:
    said = (Message(Role.USER, "and so on"),)
    return Turn(f"t{number:03}", ANN, "default", NEW_YEAR, NEW_YEAR, said)


async def test_a_summary_that_cannot_be_begun_waits() -> None:
    async with a_house() as house:
        await house.services.record(ANN, TEA)
        with pytest.MonkeyPatch.context() as patch:
            broken = AsyncMock(side_effect=Unreadable("damaged"))
            patch.setattr("memweaver.services.working.Working.fold", broken)
            assert await reflected(house) == [Outcome.DONE]
