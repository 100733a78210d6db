"""Memories as they travel."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field, JsonValue, field_validator

from memweaver.domain.memory import Correction, Draft, Memory, Tier, tiers_named
from memweaver.domain.origin import Authority, Origin
from memweaver.interfaces.rest.wire.fields import (
    AiName,
    Body,
    Metadata,
    Moment,
    PageQuery,
    Share,
    Spelt,
    Text,
    TierToRead,
    TierToWrite,
    Wire,
)

NEW: dict[str, JsonValue] = {
    "text": "Ada, the user's sister, lives in Lisbon.",
    "tier": "semantic",
    "valid_from": "2026-04-24T00:00:00Z",
}


class MemoriesQuery(PageQuery):
    tier: list[TierToRead] = Field(default_factory=list, description="Of these; of all if none")

    def tiers(self) -> frozenset[Tier] | None:
        return frozenset(tier for name in self.tier for tier in tiers_named(name)) or None


class NewMemory(Body):
    """A memory written by hand. The core tier needs a `key`; the others have none."""

    model_config = ConfigDict(json_schema_extra={"examples": [NEW]})

    text: Text
    tier: TierToWrite = Tier.SEMANTIC
    key: str | None = None
    authority: Spelt[Authority] = Authority.FACT
    importance: Share = 0.5
    confidence: Share = 0.7
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    supersedes: Annotated[str | None, Field(description="The memory whose place it takes")] = None
    sources: list[str] = Field(default_factory=list, description="The turns it was drawn from")
    ai: AiName = None
    metadata: Metadata = Field(default_factory=dict)

    def draft(self) -> Draft:
        given = self.model_dump(exclude={"ai", "sources"})
        return Draft(**given, sources=tuple(self.sources))


class MemoryCorrection(Body):
    """What is to change; what is left out stays as it is."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"text": "Ada, the user's sister, lives in Porto.", "expected_revision": 1}
            ]
        }
    )

    text: Text | None = None
    key: str | None = None
    importance: Share | None = None
    confidence: Share | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    metadata: Metadata | None = None
    expected_revision: Annotated[
        int | None, Field(ge=1, description="The revision you saw; a change since is a conflict")
    ] = None

    @field_validator("*", mode="before")
    @classmethod
    def nothing_is_emptied(cls, value: object) -> object:
        if value is None:
            raise ValueError("null would empty it; leave it out to keep it as it is")
        return value

    def correction(self) -> Correction:
        return Correction(**self.model_dump(exclude={"expected_revision"}))


class Move(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"tier": "archive"}]})

    tier: TierToWrite


class MemoryAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "019f2f6e-9a40-7c02-8f6b-58d2a1c4be37",
                    "revision": 1,
                    "ai": None,
                    "key": None,
                    "origin": "user",
                    "authority": "fact",
                    "quarantined": False,
                    "importance": 0.5,
                    "confidence": 0.7,
                    "known_from": "2026-05-01T09:31:00Z",
                    "known_to": None,
                    "valid_to": None,
                    "supersedes": None,
                    "sources": [],
                    "metadata": {},
                    **NEW,
                }
            ]
        }
    )

    id: str
    revision: int
    ai: str | None
    tier: Tier
    key: str | None
    text: str
    origin: Origin
    authority: Authority
    quarantined: Annotated[bool, Field(description="Kept and listed, but never recalled")]
    importance: float
    confidence: float
    known_from: datetime
    known_to: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    supersedes: str | None
    sources: list[str]
    metadata: dict[str, Any]

    @classmethod
    def of(cls, memory: Memory) -> "MemoryAnswer":
        return cls(
            id=memory.id,
            revision=memory.revision,
            ai=memory.scope.ai,
            tier=memory.tier,
            key=memory.key,
            text=memory.text,
            origin=memory.origin,
            authority=memory.authority,
            quarantined=memory.quarantined,
            importance=memory.importance,
            confidence=memory.confidence,
            known_from=memory.validity.known_from,
            known_to=memory.validity.known_to,
            valid_from=memory.validity.valid_from,
            valid_to=memory.validity.valid_to,
            supersedes=memory.supersedes,
            sources=list(memory.sources),
            metadata=dict(memory.metadata),
        )
