"""Rolling summaries by a model."""

import pytest
from tests.unit.adapters.prompted.house import asking

from memweaver.adapters.prompted import PromptedSummariser
from memweaver.domain.context import tokens
from memweaver.errors import ModelOutputInvalid, ModelRefused
from memweaver.ports.models import Completion
from memweaver.testing.conformance.extractor import said
from memweaver.testing.doubles import Answer, ScriptedModel

TURNS = [said("I plan a journey to Lyon.")]


async def summary(*answers: Answer, before: str = "", budget: int = 100) -> str:
    summariser = PromptedSummariser(asking(ScriptedModel(*answers)))
    return await summariser.summary(before, TURNS, budget)


async def test_a_summary_is_what_the_model_says() -> None:
    assert await summary(" User plans a journey.\n") == "User plans a journey."
    assert await summary("<think>hm</think>User plans.") == "User plans."


async def test_a_summary_brings_the_one_before_up_to_date() -> None:
    model = ScriptedModel("Both.")
    await PromptedSummariser(asking(model)).summary("User sold a boat.", TURNS, 100)
    [asked] = model.asked
    assert "SUMMARY SO FAR\n| User sold a boat.\nTURNS" in asked.text
    assert "At most 75 words." in asked.messages[0].text
    assert (asked.schema, asked.tokens) == (None, 100)


async def test_without_words_nothing_is_asked() -> None:
    model = ScriptedModel()
    assert await PromptedSummariser(asking(model)).summary("before", [said(" ")], 100) == "before"
    assert model.asked == []


async def test_a_summary_that_is_too_long_or_cut_ends_behind_a_sentence() -> None:
    long = "User plans a journey to Lyon. " * 50
    shorter = await summary(long, budget=50)
    assert tokens(shorter) <= 50
    assert shorter.endswith("to Lyon.")
    assert await summary(Completion("User plans. They wa", finished=False)) == "User plans."
    assert await summary(Completion("User wants", finished=False)) == "User wants"


@pytest.mark.parametrize("answer", ["", " \n", "<think>hm", "``````"])
async def test_an_empty_summary_is_a_failure(answer: str) -> None:
    with pytest.raises(ModelOutputInvalid):
        await summary(answer)


async def test_a_refusal_is_told() -> None:
    with pytest.raises(ModelRefused):
        await summary(ModelRefused("no"))
