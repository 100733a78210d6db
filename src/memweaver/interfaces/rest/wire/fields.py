"""The kinds of fields that bodies, queries and answers are made of."""

import re
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
)
from pydantic_core import PydanticCustomError

from memweaver.domain.memory import Tier, tiers_named
from memweaver.errors import InvalidInput

Enumerated = TypeVar("Enumerated", bound=StrEnum)

DAY = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]")
"""How a moment begins, which else might be seconds since 1970."""


class Wire(BaseModel):
    """A field nobody knows is refused, and so is a number that JSON cannot spell."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Body(Wire):
    """JSON that is read: it has types, unlike a query, and nothing is taken for another one."""

    model_config = ConfigDict(strict=True)


def spelt_out(moment: object) -> object:
    if not isinstance(moment, str) or not DAY.match(moment):
        raise ValueError("a moment is text in ISO 8601, as `2026-05-01T09:30:00Z`")
    return moment


def in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("the moment is outside of the calendar") from None


def known_tier(name: str) -> str:
    try:
        tiers_named(name)
    except InvalidInput as error:
        raise PydanticCustomError(error.code, "{reason}", {"reason": str(error)}) from error
    return name


def printable(name: str) -> str:
    if not name.strip() or not name.isprintable():
        raise ValueError("it must be printable and not blank")
    return name


def tier_written(name: object) -> Tier:
    return tiers_named(known_tier(str(name)))[0]


Text = Annotated[str, Field(min_length=1)]
Spelt = Annotated[Enumerated, Field(strict=False)]
"""A choice in a body, where it is text."""
Moment = Annotated[
    AwareDatetime, Field(strict=False), BeforeValidator(spelt_out), AfterValidator(in_utc)
]
Share = Annotated[float, Field(ge=0, le=1)]
Metadata = dict[str, JsonValue]
TierToRead = Annotated[str, AfterValidator(known_tier)]
"""The name of a tier, or a name that stands for one or more."""
TierToWrite = Annotated[Tier, BeforeValidator(tier_written, json_schema_input_type=str)]
"""A tier; of a name that stands for several, the first."""
AiName = Annotated[str | None, Field(description="One of your AIs")]
Cursor = Annotated[str | None, Field(description="`next` of the page before")]
Idempotency = Annotated[str, Field(min_length=1, max_length=256), AfterValidator(printable)]


class OfOneAi(Wire):
    """The query of a request about one record."""

    ai: AiName = None


class PageQuery(OfOneAi):
    """The query of a list."""

    cursor: Cursor = None
    limit: int = 50
