"""What people say in passing becomes memories, in the background, without a model."""

import asyncio
from pathlib import Path

import pytest

import memweaver
from memweaver import Message, Role, Said, Scope
from memweaver.domain.memory import Memory, Tier
from memweaver.services import Services

ANN = Scope("ann")


async def tell(memory: Services, text: str) -> None:
    await memory.record(ANN, Said((Message(Role.USER, text), Message(Role.ASSISTANT, "I see."))))
    async with asyncio.timeout(60):
        depth = await memory.jobs.depth()
        while depth.waiting + depth.running:
            await asyncio.sleep(0.05)
            depth = await memory.jobs.depth()
    assert depth.dead == 0


async def remembered(memory: Services, *tiers: Tier) -> dict[str, Memory]:
    page = await memory.curate.memories(ANN, tiers=tiers or None)
    return {one.text: one for one in page.items}


@pytest.mark.requirement("C11", "D1")
async def test_a_person_is_got_to_know(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        await tell(memory, "Hi! My name is Dana and I live in Lyon.")
        await tell(memory, "What is the weather like? If I were rich I would buy a boat.")
        known = await remembered(memory)
        assert {"User's name is Dana.", "User lives in Lyon."} <= known.keys()
        assert not any("boat" in text or "weather" in text for text in known)
        hits = (await memory.recall(ANN, "Where does the user live?")).hits
        assert known["User lives in Lyon."].id in {hit.ref.id for hit in hits}

    async with memweaver.open(tmp_path) as memory:
        before = await remembered(memory)
        await tell(memory, "Hi! My name is Dana and I live in Lyon.")
        assert await remembered(memory) == before


@pytest.mark.requirement("C11", "C18")
async def test_people_and_projects_are_related(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        await tell(memory, "My CFO is Giulia. Marco is the PM on Project Acme.")
        related = [
            one.metadata["relation"] for one in (await remembered(memory, Tier.RELATIONAL)).values()
        ]
        assert len(related) == 2
        marco = next(one for one in related if isinstance(one, dict) and "Marco" in one.values())
        assert (marco["predicate"], marco["object"]) == ("stakeholder_of", "Project Acme")
        core = await remembered(memory, Tier.CORE)
        assert [one.key for one in core.values()] == ["cfo"]


async def test_what_is_to_be_forgotten_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        await tell(memory, "My name is Dana. I have a cat. I work at Microsoft. My CFO is Giulia.")
        before = await remembered(memory)
        assert "User's name is Dana." in before
        await tell(memory, "Forget that I have a dog. I no longer work at Google.")
        since = (await remembered(memory)).keys()
        assert since - before.keys() == {"User no longer works at Google."}
        assert before.keys() <= since
        await tell(memory, "Forget that my name is Dana. Forget that my CFO is Giulia.")
        after = await remembered(memory)
        assert not any("Dana" in text or "Giulia" in text for text in after)
        assert "User works at Microsoft." in after
