"""Summaries without a model."""

from memweaver.adapters.rules import RuleSummariser
from memweaver.domain.context import tokens
from memweaver.domain.conversation import Message, Role
from memweaver.testing.conformance.extractor import said

TURNS = [said("I live in Oslo. How are you? Hm.", Message(Role.ASSISTANT, "Oslo is in Norway."))]


async def test_it_keeps_what_tells_most_and_no_questions() -> None:
    summary = await RuleSummariser().summary("User: My dog is called Rex.", TURNS, 100)

    assert summary.splitlines()[:2] == ["User: My dog is called Rex.", "User: I live in Oslo."]
    assert "?" not in summary


async def test_it_keeps_to_its_budget_and_drops_the_least_telling() -> None:
    summary = await RuleSummariser().summary("", TURNS, 8)

    assert summary == "User: I live in Oslo."
    assert tokens(summary) <= 8


async def test_it_says_nothing_twice_and_the_same_each_time() -> None:
    once = await RuleSummariser().summary("", TURNS, 100)

    assert await RuleSummariser().summary(once, TURNS, 100) == once


async def test_nothing_said_is_no_summary() -> None:
    assert await RuleSummariser().summary("", [said("")], 100) == ""
