"""The kinds of fields that bodies, queries and answers are made of."""

from datetime import UTC, datetime
from typing import Annotated

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


class Wire(BaseModel):
    """A field nobody knows is refused, and so is a number that JSON cannot spell."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


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


def tier_written(name: object) -> Tier:
    return tiers_named(known_tier(str(name)))[0]


Text = Annotated[str, Field(min_length=1)]
Moment = Annotated[AwareDatetime, AfterValidator(in_utc)]
Share = Annotated[float, Field(ge=0, le=1)]
Metadata = dict[str, JsonValue]
TierToRead = Annotated[str, AfterValidator(known_tier)]
"""The name of a tier, or a name that stands for one or more."""
TierToWrite = Annotated[Tier, BeforeValidator(tier_written, json_schema_input_type=str)]
"""A tier; of a name that stands for several, the first."""
AiName = Annotated[str | None, Field(description="One of your AIs")]
Cursor = Annotated[str | None, Field(description="`next` of the page before")]
Idempotency = Annotated[str, Field(min_length=1, max_length=256)]


class OfOneAi(Wire):
    """The query of a request about one record."""

    ai: AiName = None


class PageQuery(OfOneAi):
    """The query of a list."""

    cursor: Cursor = None
    limit: int = 50
