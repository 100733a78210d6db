"""What becomes of a model's answer: candidates, or a named error, and never silence."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from tests.unit.adapters.prompted.house import OSLO, a_statement, asking, extracted, from_statements

from memweaver.adapters.openai import open_openai_chat
from memweaver.adapters.prompted import Asking, PromptedExtractor
from memweaver.domain.candidate import LONGEST_CANDIDATE, MOST_CANDIDATES, Aspect, Scene, Wish
from memweaver.errors import ModelError, ModelOutputInvalid, ModelRefused, ModelUnavailable
from memweaver.ports.models import Completion
from memweaver.testing.conformance.extractor import remembered, said
from memweaver.testing.doubles import ScriptedModel, Tally
from memweaver.testing.faults import FAULTS
from memweaver.testing.model_server import Script, serving


@pytest.mark.requirement("C9")
async def test_an_explicit_nothing_is_nothing() -> None:
    assert await extracted({"memories": []}) == []
    assert await extracted("There is nothing worth remembering: []") == []


@pytest.mark.requirement("C9")
async def test_of_many_the_most_important_are_taken() -> None:
    many = [a_statement(f"User likes {n}.", importance=n / 10) for n in range(10)]
    found = await from_statements(*many, a_statement("USER LIKES 9"))
    assert [one.importance for one in found] == [0.5, 0.6, 0.7, 0.8, 0.9]
    assert len(found) == MOST_CANDIDATES


async def test_every_wish_is_taken_however_many_there_are() -> None:
    wishes = [
        a_statement(f"User likes {n}.", wish=wish, importance=0.1)
        for wish in ("forget", "negate")
        for n in range(7)
    ]
    keeping = [a_statement(f"User has {n}.") for n in range(7)]
    found = await from_statements(*keeping, *wishes)
    assert [one.wish for one in found].count(Wish.KEEP) == MOST_CANDIDATES
    assert [one.wish for one in found if one.wish is not Wish.KEEP] == [
        *[Wish.FORGET] * 7,
        *[Wish.NEGATE] * 7,
    ]


async def test_what_is_too_long_is_cut_behind_a_sentence_or_dropped() -> None:
    sentence = "User likes tea with milk, but only in the morning."
    long, endless = f"{sentence} " * 20, "tea " * 200
    [candidate] = await from_statements(a_statement(long), a_statement(endless))
    assert len(candidate.text) <= LONGEST_CANDIDATE
    assert candidate.text.endswith("morning.")


async def test_what_was_told_to_be_known_is_not_taken_again() -> None:
    scene = Scene((OSLO,), known=(remembered("user lives in Oslo"),))
    found = await from_statements(a_statement(), a_statement(wish="negate"), scene=scene)
    assert [one.wish for one in found] == [Wish.NEGATE]


async def test_an_example_of_our_own_is_no_memory_unless_somebody_says_it() -> None:
    example = a_statement("User goes swimming every Monday", kind="routine")
    assert await from_statements(example, aspect=Aspect.PROCEDURAL) == []
    swimmer = Scene((said("I go swimming every monday."),))
    assert await from_statements(example, scene=swimmer, aspect=Aspect.PROCEDURAL)


async def test_an_answer_that_cannot_be_read_is_put_right_once() -> None:
    model = ScriptedModel(
        "I would remember that the user lives in Oslo.",
        {"nothing": False, "memories": [a_statement()]},
    )
    meter = Tally()
    found = await PromptedExtractor(asking(model, meter)).extract(Scene((OSLO,)), Aspect.SEMANTIC)
    assert [one.text for one in found] == ["User lives in Oslo."]
    assert [asked.purpose for asked in model.asked] == ["semantic", "repair"]
    told = {"model": "scripted", "outcome": "model_output_invalid"}
    assert meter.told("model_calls", purpose="semantic", **told) == 1
    assert meter.told("model_calls", model="scripted", purpose="repair", outcome="ok") == 1


async def test_a_repair_that_says_so_may_find_nothing() -> None:
    prose = "The user only greets, so there is nothing to remember."
    assert await extracted(prose, {"nothing": True, "memories": []}) == []


@pytest.mark.parametrize(
    "second",
    [{"nothing": False, "memories": []}, {"memories": []}, "I'm sorry.", "", {"memories": [{}]}],
    ids=str,
)
async def test_a_failed_repair_is_never_nothing(second: Any) -> None:
    with pytest.raises(ModelOutputInvalid):
        await extracted("I'm sorry, I can't help with that.", second)


async def test_an_empty_answer_is_not_worth_a_repair() -> None:
    model = ScriptedModel(" \n")
    with pytest.raises(ModelOutputInvalid):
        await PromptedExtractor(asking(model)).extract(Scene((OSLO,)), Aspect.SEMANTIC)
    assert len(model.asked) == 1


@pytest.mark.parametrize("error", [ModelUnavailable("away"), ModelRefused("no")])
async def test_a_failing_model_is_told(error: ModelError) -> None:
    model, meter = ScriptedModel(error), Tally()
    with pytest.raises(type(error)):
        await PromptedExtractor(asking(model, meter)).extract(Scene((OSLO,)), Aspect.EPISODIC)
    told = {"model": "scripted", "purpose": "episodic"}
    assert meter.told("model_calls", **told, outcome=error.code) == 1
    assert meter.told("model_seconds", **told) == 1


async def test_tokens_are_counted() -> None:
    meter = Tally()
    model = ScriptedModel(Completion('{"memories": []}', tokens_in=700, tokens_out=12))
    await PromptedExtractor(asking(model, meter)).extract(Scene((OSLO,)), Aspect.SEMANTIC)
    told = {"model": "scripted", "purpose": "semantic"}
    assert meter.told("model_tokens", **told, direction="in") == 700
    assert meter.told("model_tokens", **told, direction="out") == 12


async def test_what_is_cut_off_leaves_what_was_whole() -> None:
    cut = '{"memories": [{"turn": 1, "text": "User lives in Oslo."}, {"turn": 1, "te'
    found = await extracted(Completion(cut, finished=False))
    assert [one.text for one in found] == ["User lives in Oslo."]


async def test_where_nobody_says_anything_no_model_is_asked() -> None:
    model = ScriptedModel()
    extractor = PromptedExtractor(asking(model))
    recalled = "<memory 1f>\n- [2026] User lives in Oslo\n</memory 1f>"
    for turns in ((), (said(" "),), (said(recalled),), (said("\x00\x01"),)):
        for aspect in Aspect:
            assert await extractor.extract(Scene(turns), aspect) == []
    assert model.asked == []


async def test_many_long_turns_are_asked_about_in_portions() -> None:
    model = ScriptedModel(otherwise=lambda asked: {"memories": [about_last_turn(asked.text)]})
    turns = tuple(said("I like the sea. " * 300, turn_id=f"t{n}") for n in range(1, 8))
    found = await PromptedExtractor(asking(model)).extract(Scene(turns), Aspect.SEMANTIC)
    shown = [numbers_in(asked.text) for asked in model.asked]
    assert [number for numbers in shown for number in numbers] == [1, 2, 3, 4, 5, 6, 7]
    assert [one.source for one in found] == [f"t{numbers[-1]}" for numbers in shown]
    assert len(shown) > 1


def numbers_in(data: str) -> list[int]:
    return [int(number) for number in re.findall(r"^turn (\d+), said on", data, re.MULTILINE)]


def about_last_turn(data: str) -> Mapping[str, object]:
    number = numbers_in(data)[-1]
    return a_statement(f"User likes the sea {number}.", turn=number)


@pytest.mark.requirement("C9")
@pytest.mark.parametrize("fault", FAULTS)
async def test_every_fault_of_a_service_ends_in_a_named_error(fault: str) -> None:
    """R14: in candidates or an error, never in silence; here the service fails for good."""
    patience = 0.5 if fault in {"stall", "trickle"} else 30
    async with (
        serving(Script(first=[fault] * 4)) as service,
        open_openai_chat(url=service.url, timeout=patience, retries=0) as model,
    ):
        extractor = PromptedExtractor(Asking(model, Tally(), tokens=64))
        with pytest.raises(ModelError) as caught:
            await extractor.extract(Scene((OSLO,)), Aspect.SEMANTIC)
    assert "Oslo" not in str(caught.value)
