"""Embedding: whatever waits gets its vectors, and nothing is lost when the model fails."""

from collections.abc import Sequence

import pytest
from tests.unit.services.house import ANN, BOB, a_house

from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.memory import Draft, Vector
from memweaver.errors import ModelRefused, ModelUnavailable
from memweaver.services.courtesy import Courtesy
from memweaver.services.embed import Embed
from memweaver.testing.doubles import FailingEmbedder, HashEmbedder

HELLO = Said((Message(Role.USER, "I moved to Oslo"), Message(Role.ASSISTANT, "Lovely.")))


class Picky(HashEmbedder):
    """Refuses whatever speaks of Oslo."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        if any("Oslo" in text for text in texts):
            raise ModelRefused("will not do Oslo")
        return await super().embed(texts)


async def test_turns_and_memories_of_everybody_get_their_vectors() -> None:
    async with a_house() as house:
        await house.services.record(ANN, HELLO)
        await house.services.curate.add(BOB, Draft("Likes tea"))
        assert (await house.services.embed.progress()).embedded == 0
        await house.services.embed.settled()
        progress = await house.services.embed.progress()
        assert (progress.embedded, progress.total) == (2, 2)


@pytest.mark.requirement("C3", "C7")
async def test_a_record_whose_embedding_failed_is_found_by_words() -> None:
    async with a_house(FailingEmbedder()) as house:
        await house.services.record(ANN, HELLO)
        with pytest.raises(ModelUnavailable):
            await house.services.embed.settled()
        found = await house.services.recall(ANN, "Oslo")
        assert found.hits[0].text == "I moved to Oslo"
        assert (found.by_meaning, found.hits[0].cosine) == (False, None)


async def test_a_model_that_comes_back_embeds_what_waited() -> None:
    async with a_house(FailingEmbedder(times=1)) as house:
        await house.services.record(ANN, HELLO)
        with pytest.raises(ModelUnavailable):
            await house.services.embed.settled()
        await house.services.embed.settled()
        assert (await house.services.embed.progress()).embedded == 1


async def test_a_text_the_model_refuses_does_not_keep_the_others_waiting() -> None:
    async with a_house(Picky()) as house:
        await house.services.record(ANN, HELLO)
        await house.services.curate.add(ANN, Draft("Likes tea"))
        await house.services.embed.settled()
        progress = await house.services.embed.progress()
        assert (progress.embedded, progress.total) == (1, 2)
        found = (await house.services.recall(ANN, "tea")).hits
        assert {hit.text for hit in found if hit.cosine is not None} == {"Likes tea"}


async def test_a_model_that_goes_away_while_refusals_are_sorted_out_is_said() -> None:
    class RefusesThenAway(FailingEmbedder):
        async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
            if self.asked == 0:
                self.asked += 1
                raise ModelRefused("no")
            return await super().embed(texts)

    async with a_house(RefusesThenAway()) as house:
        await house.services.record(ANN, HELLO)
        with pytest.raises(ModelUnavailable):
            await house.services.embed.settled()


async def test_another_model_embeds_everything_anew_in_place() -> None:
    async with a_house() as house:
        await house.services.record(ANN, HELLO)
        await house.services.embed.settled()
        newer = Embed(HashEmbedder(32, "newer"), house.backend.vectors, Courtesy())
        assert (await newer.progress()).embedded == 0
        await newer.settled()
        progress = await newer.progress()
        assert (progress.embedded, progress.total) == (1, 1)
        assert (await house.services.embed.progress()).embedded == 0
