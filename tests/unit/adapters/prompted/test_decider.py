"""Decisions by a model: about a memory it was shown, or none."""

from typing import Any

import pytest
from tests.unit.adapters.prompted.house import asking

from memweaver.adapters.prompted import PromptedDecider
from memweaver.domain.candidate import Candidate, CandidateKind
from memweaver.domain.decision import Action, Decision
from memweaver.domain.memory import Tier
from memweaver.errors import ModelOutputInvalid, ModelUnavailable
from memweaver.testing.conformance.extractor import remembered
from memweaver.testing.doubles import Answer, ScriptedModel

NEW = Candidate("User lives in Lyon.", CandidateKind.FACT, Tier.SEMANTIC, "t1")
NEAR = [remembered("User lives in Oslo.", "m7"), remembered("User likes Lyon.", "m8")]


async def decided(*answers: Answer) -> Decision:
    return await PromptedDecider(asking(ScriptedModel(*answers))).decide(NEW, NEAR)


@pytest.mark.requirement("C10", "C13")
@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"action": "add", "target": None, "text": None}, (Action.ADD, None, None)),
        ({"action": "noop", "target": 1, "text": None}, (Action.NOOP, None, None)),
        ({"action": "replace", "target": 1, "text": None}, (Action.REPLACE, "m7", None)),
        ({"action": "delete", "target": 2}, (Action.DELETE, "m8", None)),
        ({"action": "update", "target": 2, "text": "Both."}, (Action.UPDATE, "m8", "Both.")),
        ('```json\n{"action": "ADD"}\n```', (Action.ADD, None, None)),
        ('[{"action": "add"}]', (Action.ADD, None, None)),
    ],
    ids=str,
)
async def test_a_decision_carries_its_target_and_its_text(
    answer: Any, expected: tuple[object, ...]
) -> None:
    decision = await decided(answer)
    assert (decision.action, decision.target, decision.text) == expected
    assert decision.because == "model"


@pytest.mark.requirement("X2")
@pytest.mark.parametrize(
    ("word", "action"),
    [
        ("NEW", Action.ADD),
        ("create", Action.ADD),
        ("Edit", Action.UPDATE),
        ("merge", Action.UPDATE),
        ("supersede", Action.REPLACE),
        ("remove", Action.DELETE),
        ("NONE", Action.NOOP),
        ("skip", Action.NOOP),
    ],
)
async def test_other_words_are_understood(word: str, action: Action) -> None:
    decision = await decided({"operation": word, "id": 1, "content": "Both."})
    assert decision.action is action


@pytest.mark.requirement("C10")
@pytest.mark.parametrize(
    "answer",
    [
        {"action": "replace", "target": 3},
        {"action": "replace", "target": 0},
        {"action": "replace", "target": -1},
        {"action": "replace", "target": None},
        {"action": "replace", "target": "m7"},
        {"action": "update", "target": 1, "text": " "},
        {"action": "update", "target": 1, "text": "x" * 600},
        {"action": "obey", "target": 1},
        {"target": 1},
        [{"action": "add"}, {"action": "delete", "target": 1}],
        "I would replace the first one.",
        "",
    ],
    ids=str,
)
async def test_a_decision_that_cannot_be_carried_out_is_left_to_others(answer: Any) -> None:
    with pytest.raises(ModelOutputInvalid):
        await decided(answer, {"action": None, "target": None, "text": None})


async def test_a_decision_in_prose_is_put_right_once() -> None:
    decision = await decided("I would replace the first one.", {"action": "replace", "target": 1})
    assert decision == Decision(Action.REPLACE, "model", "m7")


async def test_a_failing_model_is_told() -> None:
    with pytest.raises(ModelUnavailable):
        await decided(ModelUnavailable("away"))
