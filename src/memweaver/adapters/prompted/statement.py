"""One statement as a model writes it, checked field by field before anything is made of it."""

from functools import partial
from typing import Annotated

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
)

from memweaver.adapters.prompted.words import KINDS, SHARES, WISHES, meant, nothing_if_empty
from memweaver.domain.candidate import CandidateKind, Relation, Wish
from memweaver.domain.memory import Tier, tiers_named
from memweaver.errors import InvalidFilter

LONGEST_LABEL, LONGEST_PREDICATE, LONGEST_TYPE, LONGEST_KEY = 128, 64, 32, 64


def sound(text: str) -> str:
    """`text` on one line and without half characters or others that nobody sees."""
    whole = text.encode("utf-8", "replace").decode()
    return " ".join("".join(one if one.isprintable() else " " for one in whole).split())


def snake_case(text: str) -> str:
    return "_".join(text.lower().replace("-", " ").replace("_", " ").split())


def tier_named(given: object) -> object:
    if not isinstance(given, str):
        return given
    try:
        return tiers_named(given.strip().lower())[0]
    except InvalidFilter as error:
        raise ValueError("not a tier") from error


Text = Annotated[str, AfterValidator(sound), StringConstraints(min_length=1)]
Label = Annotated[Text, StringConstraints(max_length=LONGEST_LABEL)]
Share = Annotated[
    float,
    BeforeValidator(partial(meant, others=SHARES)),
    Field(ge=0, le=1, allow_inf_nan=False),
]
Name = Annotated[
    Annotated[Text, AfterValidator(snake_case), StringConstraints(max_length=LONGEST_KEY)] | None,
    BeforeValidator(nothing_if_empty),
]
Time = Annotated[str | None, BeforeValidator(nothing_if_empty)]


class Shape(BaseModel):
    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)


class RelationShape(Shape):
    subject: Label
    subject_type: Annotated[Text, StringConstraints(max_length=LONGEST_TYPE)] = "topic"
    predicate: Annotated[
        Text, AfterValidator(snake_case), StringConstraints(max_length=LONGEST_PREDICATE)
    ]
    object: Label
    object_type: Annotated[Text, StringConstraints(max_length=LONGEST_TYPE)] = "topic"

    def value(self) -> Relation:
        return Relation(
            self.subject, self.subject_type, self.predicate, self.object, self.object_type
        )


class Statement(Shape):
    """What must be there is the turn and the text; the rest has its usual value."""

    turn: Annotated[int, Field(validation_alias=AliasChoices("turn", "source", "citation"))]
    text: Annotated[Text, Field(validation_alias=AliasChoices("text", "content", "memory"))]
    speaker: Annotated[str | None, BeforeValidator(nothing_if_empty)] = None
    kind: Annotated[
        CandidateKind | None,
        BeforeValidator(partial(meant, others=KINDS)),
        Field(validation_alias=AliasChoices("kind", "type")),
    ] = None
    tier: Annotated[
        Tier | None,
        BeforeValidator(tier_named),
        BeforeValidator(nothing_if_empty),
        Field(validation_alias=AliasChoices("tier", "target_tier")),
    ] = None
    wish: Annotated[
        Wish,
        BeforeValidator(partial(meant, others={**WISHES, None: Wish.KEEP})),
        Field(validation_alias=AliasChoices("wish", "intent", "operation")),
    ] = Wish.KEEP
    key: Name = None
    attribute: Name = None
    relation: Annotated[RelationShape | None, BeforeValidator(nothing_if_empty)] = None
    valid_from: Time = None
    valid_to: Time = None
    importance: Share = 0.5
    confidence: Share = 0.7


MARKS = ("text", "content", "memory")
"""An object with one of these is meant as a statement."""
