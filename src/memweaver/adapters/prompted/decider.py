"""Decisions by a chat model, where rules leave it open."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from pydantic import AliasChoices, BeforeValidator, Field, ValidationError

from memweaver.adapters.prompted.asking import Asking, Repair
from memweaver.adapters.prompted.envelope import quoted
from memweaver.adapters.prompted.ladder import items_in
from memweaver.adapters.prompted.making import fitting
from memweaver.adapters.prompted.prompts import prompt
from memweaver.adapters.prompted.schemas import DECISION
from memweaver.adapters.prompted.showing import memory_lines
from memweaver.adapters.prompted.statement import Shape, Text
from memweaver.adapters.prompted.words import ACTIONS, meant, nothing_if_empty
from memweaver.domain.candidate import Candidate
from memweaver.domain.decision import Action, Decision
from memweaver.domain.memory import Memory
from memweaver.errors import ModelOutputInvalid
from memweaver.ports.extract import Decider

PURPOSE = "decide"
MARKS = ("action", "operation", "event")
BECAUSE = "model"
UNTARGETED = frozenset({Action.ADD, Action.NOOP})


class DecisionShape(Shape):
    action: Annotated[
        Action,
        BeforeValidator(partial(meant, others=ACTIONS)),
        Field(validation_alias=AliasChoices(*MARKS)),
    ]
    target: Annotated[
        int | None,
        BeforeValidator(nothing_if_empty),
        Field(validation_alias=AliasChoices("target", "id")),
    ] = None
    text: Annotated[
        Text | None,
        BeforeValidator(nothing_if_empty),
        Field(validation_alias=AliasChoices("text", "content")),
    ] = None


class PromptedDecider(Decider):
    """Memories are shown under small numbers, and a decision must be about one of them."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    async def decide(self, candidate: Candidate, near: Sequence[Memory]) -> Decision:
        """Raises `ModelError`; also if the verb or the target is none, for others to decide."""
        read = partial(decision_in, near=near)
        return await self._asking(
            PURPOSE,
            decision_lines(candidate, near),
            told=prompt(PURPOSE),
            schema=DECISION,
            read=read,
            repair=Repair("repair_decision", DECISION),
            read_repaired=read,
        )


def decision_lines(candidate: Candidate, near: Sequence[Memory]) -> Sequence[str]:
    return [
        f"NEW, {candidate.kind}, wish: {candidate.wish}",
        *quoted(candidate.text),
        "MEMORIES",
        *memory_lines("memory", near),
    ]


def decision_in(answer: str, near: Sequence[Memory]) -> Decision:
    """Raises `ModelOutputInvalid`."""
    shapes = {shape_of(item) for item in items_in(answer, MARKS)}
    if len(shapes) != 1:
        raise ModelOutputInvalid("the answer is not one decision")
    [(action, target, text)] = shapes
    if action in UNTARGETED:
        return Decision(action, BECAUSE)
    if target is None or not 1 <= target <= len(near):
        raise ModelOutputInvalid("the decision is about none of the memories shown")
    if action is Action.UPDATE and text is None:
        raise ModelOutputInvalid("an update does not say what to keep")
    return Decision(action, BECAUSE, near[target - 1].id, text)


def shape_of(item: object) -> tuple[Action, int | None, str | None]:
    try:
        shape = DecisionShape.model_validate(item)
    except ValidationError:
        raise ModelOutputInvalid("the decision is not as it was asked for") from None
    return shape.action, shape.target, fitting(shape.text) if shape.text else None
