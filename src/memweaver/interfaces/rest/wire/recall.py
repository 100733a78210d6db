"""Questions and what is recalled, as they travel."""

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from memweaver.domain.memory import Tier, tiers_named
from memweaver.domain.origin import Origin
from memweaver.domain.search import Filter, Hit, Kind
from memweaver.interfaces.rest.wire.fields import AiName, Moment, Text, TierToRead, Wire
from memweaver.services.recall import Recollection


class RecallRequest(Wire):
    """What is being said or asked, and which records may answer."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "Where does my sister live?", "limit": 5}]}
    )

    query: Text
    limit: Annotated[int | None, Field(description="At most so many hits")] = None
    budget: Annotated[int | None, Field(ge=0, description="Tokens of the context block")] = None
    tiers: Annotated[
        list[TierToRead] | None,
        Field(description="Tiers of memories that may answer; all but the archive if not given"),
    ] = None
    turns: Annotated[bool, Field(description="Whether what was said verbatim may answer")] = True
    session: Annotated[str | None, Field(description="Keep to this session")] = None
    as_of: Annotated[Moment | None, Field(description="What was known then")] = None
    valid_at: Annotated[Moment | None, Field(description="What held then in the world")] = None
    ai: AiName = None

    def where(self) -> Filter:
        return Filter(
            tiers=None if self.tiers is None else self._tiers(self.tiers),
            turns=self.turns,
            session=self.session,
            as_of=self.as_of,
            valid_at=self.valid_at,
        )

    def _tiers(self, names: list[str]) -> frozenset[Tier]:
        return frozenset(tier for name in names for tier in tiers_named(name))


class HitAnswer(Wire):
    kind: Kind
    id: str
    revision: int
    ordinal: Annotated[int, Field(description="Which message of the turn")]
    text: str
    speaker: str | None
    session: str | None
    tier: Tier | None
    origin: Origin
    at: datetime
    score: Annotated[float, Field(description="0 to 1; compares hits of this answer only")]
    cosine: Annotated[float | None, Field(description="-1 to 1; compares across answers")]
    explanation: Annotated[dict[str, float], Field(description="The shares that make the score")]

    @classmethod
    def of(cls, hit: Hit) -> "HitAnswer":
        return cls(
            kind=hit.ref.kind,
            id=hit.ref.id,
            revision=hit.ref.revision,
            ordinal=hit.ordinal,
            text=hit.text,
            speaker=hit.speaker,
            session=hit.session,
            tier=hit.tier,
            origin=hit.origin,
            at=hit.at,
            score=hit.score,
            cosine=hit.cosine,
            explanation=dict(hit.explanation),
        )


class RecallAnswer(Wire):
    hits: list[HitAnswer]
    context: Annotated[str, Field(description="The block to put before an assistant")]
    by_meaning: Annotated[bool, Field(description="False if words alone had to do")]

    @classmethod
    def of(cls, found: Recollection) -> "RecallAnswer":
        return cls(
            hits=[HitAnswer.of(hit) for hit in found.hits],
            context=found.context,
            by_meaning=found.by_meaning,
        )
