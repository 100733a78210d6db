"""Questions and what is recalled, as they travel."""

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field

from memweaver.domain.memory import Tier, tiers_named
from memweaver.domain.origin import Origin
from memweaver.domain.search import Filter, Hit, Kind
from memweaver.interfaces.rest.wire.fields import AiName, Body, Moment, Text, TierToRead, Wire
from memweaver.services.recall import Recollection


class RecallRequest(Body):
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
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "hits": [
                        {
                            "kind": "memory",
                            "id": "019f2f6e-9a40-7c02-8f6b-58d2a1c4be37",
                            "revision": 1,
                            "ordinal": 0,
                            "text": "Ada, the user's sister, lives in Lisbon.",
                            "speaker": None,
                            "session": None,
                            "tier": "semantic",
                            "origin": "user",
                            "at": "2026-05-01T09:31:00Z",
                            "score": 0.83,
                            "cosine": 0.71,
                            "explanation": {"meaning": 0.5, "words": 0.33},
                        }
                    ],
                    "context": "<text to put before an assistant>",
                    "by_meaning": True,
                }
            ]
        }
    )

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
