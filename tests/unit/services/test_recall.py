"""Recalling: what cannot be asked is refused; what can is answered with its context."""

from asyncio import Event
from collections.abc import Sequence

import pytest
from tests.unit.services.house import ANN, a_house

from memweaver.app.sections import RecallSettings
from memweaver.app.settings import Settings
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.memory import Vector
from memweaver.errors import InvalidInput, TooLarge
from memweaver.testing.doubles import FailingEmbedder, HashEmbedder


async def test_a_turn_is_recalled_verbatim_with_a_context_block() -> None:
    async with a_house() as house:
        await house.services.record(ANN, Said((Message(Role.USER, "I moved to  Oslo!"),)))
        await house.services.maintain.settled()
        found = await house.services.recall(ANN, "Where did I move?")
        assert [hit.text for hit in found.hits] == ["I moved to  Oslo!"]
        assert "- [2026-01-01, said by User] I moved to Oslo!" in found.context
        assert found.by_meaning


async def test_a_memory_that_knows_nothing_answers_nothing() -> None:
    async with a_house() as house:
        found = await house.services.recall(ANN, "Where did I move?")
        assert (found.hits, found.context) == ([], "")


async def test_the_limit_and_the_budget_default_to_the_settings() -> None:
    settings = Settings(recall=RecallSettings(limit=2, budget=60))
    async with a_house(settings=settings) as house:
        for number in range(4):
            await house.services.record(ANN, Said((Message(Role.USER, f"tea number {number}"),)))
        found = await house.services.recall(ANN, "tea")
        assert len(found.hits) == 2
        assert len((await house.services.recall(ANN, "tea", limit=3)).hits) == 3
        assert len((await house.services.recall(ANN, "tea", budget=500)).context) > len(
            found.context
        )


async def test_a_budget_below_nothing_is_refused() -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match="`budget`"):
            await house.services.recall(ANN, "tea", budget=-1)


async def test_a_name_that_was_first_heard_meanwhile_is_known() -> None:
    """Its vector would tell whom the question is about, not what."""
    asked: list[str] = []

    class Noting(HashEmbedder):
        async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
            asked.extend(texts)
            return await super().embed(texts)

    async with a_house(Noting()) as house:
        said = Said((Message(Role.USER, "I moved to Oslo", "Zoe"),))
        await house.services.record(ANN, said)
        for _ in range(2):
            found = await house.services.recall(ANN, "Where did Zoe move?")
            assert found.question.about == {"Zoe"}
        assert asked == ["Where did Zoe move?", "Where did move?", "Where did move?"]


async def test_a_name_that_is_not_asked_about_changes_nothing() -> None:
    async with a_house() as house:
        await house.services.record(ANN, Said((Message(Role.USER, "I moved to Oslo", "Zoe"),)))
        assert house.services.recall.index.people(ANN) == ()
        found = await house.services.recall(ANN, "Oslo")
        assert found.question.about == frozenset()
        assert house.services.recall.index.people(ANN) == ("Zoe",)


@pytest.mark.requirement("C3")
async def test_a_model_that_does_not_answer_in_time_is_done_without() -> None:
    class Silent(HashEmbedder):
        async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
            await Event().wait()
            return await super().embed(texts)

    settings = Settings(recall=RecallSettings(patience=0.01))
    async with a_house(Silent(), settings) as house:
        await house.services.record(ANN, Said((Message(Role.USER, "I moved to Oslo"),)))
        found = await house.services.recall(ANN, "Oslo")
        assert ([hit.text for hit in found.hits], found.by_meaning) == (["I moved to Oslo"], False)


@pytest.mark.requirement("C3")
async def test_a_model_that_failed_is_not_asked_again_for_a_name_first_heard_meanwhile() -> None:
    """Whoever waits would wait twice, and a chat that waits so long does without memory."""
    embedder = FailingEmbedder()
    async with a_house(embedder) as house:
        await house.services.record(ANN, Said((Message(Role.USER, "I moved to Oslo", "Zoe"),)))
        found = await house.services.recall(ANN, "Where did Zoe move?")
        assert embedder.asked == 1
        assert found.question.about == {"Zoe"}
        assert not found.by_meaning
        assert [hit.text for hit in found.hits] == ["I moved to Oslo"]


@pytest.mark.parametrize(
    ("text", "limit", "kind", "words"),
    [
        (" ", 5, InvalidInput, "`query` is empty"),
        ("x" * 64_001, 5, TooLarge, "the limit is 64000"),
        ("tea", 0, InvalidInput, "`limit`"),
        ("tea", 201, InvalidInput, "between 1 and 200"),
    ],
)
async def test_what_cannot_be_asked_is_refused_by_name(
    text: str, limit: int, kind: type[InvalidInput], words: str
) -> None:
    async with a_house() as house:
        with pytest.raises(kind, match=words):
            await house.services.recall(ANN, text, limit=limit)


async def test_a_recall_finds_what_was_recorded_before_it_began() -> None:
    async with a_house() as house:
        for number in range(3):
            await house.services.record(ANN, Said((Message(Role.USER, f"tea number {number}"),)))
            assert len((await house.services.recall(ANN, "tea")).hits) == number + 1
