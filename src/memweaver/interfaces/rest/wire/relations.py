"""Relations as they travel."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field, JsonValue

from memweaver.domain.candidate import Relation
from memweaver.domain.memory import Memory
from memweaver.domain.relation import relation_of
from memweaver.interfaces.rest.wire.fields import AiName, Body, Share, Text, Wire

NEW: dict[str, JsonValue] = {
    "subject": "Marco",
    "subject_type": "person",
    "predicate": "stakeholder_of",
    "object": "Project Acme",
    "object_type": "project",
    "confidence": 0.9,
}
Predicate = Annotated[
    str,
    Field(
        description="`works_at`, `reports_to`, `stakeholder_of`, `last_contacted_on`, "
        "`owes_followup` or `custom`; anything else is 422"
    ),
]
Kind = Annotated[str, Field(description="`person`, `company`, `project` or `topic`")]


class NewRelation(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [NEW]})

    subject: Text
    subject_type: Kind = "person"
    predicate: Predicate
    object: Text
    object_type: Kind = "topic"
    confidence: Share = 0.7
    ai: AiName = None

    def relation(self) -> Relation:
        return Relation(**self.model_dump(exclude={"confidence", "ai"}))


class RelationChange(Body):
    """What is to change; what is left out stays as it is."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"object": "Project Zenith", "confidence": 1.0}]}
    )

    subject: Text | None = None
    subject_type: Kind | None = None
    predicate: Predicate | None = None
    object: Text | None = None
    object_type: Kind | None = None
    confidence: Share | None = None

    def ends(self) -> dict[str, Any]:
        return self.model_dump(exclude={"confidence"}, exclude_none=True)


class RelationAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "019f2f6e-9a40-7c02-8f6b-58d2a1c4be37",
                    **NEW,
                    "last_confirmed_at": "2026-05-01T09:31:00Z",
                }
            ]
        }
    )

    id: Annotated[str, Field(description="The same as the memory's")]
    subject: str
    subject_type: str
    predicate: str
    object: str
    object_type: str
    confidence: float
    last_confirmed_at: datetime

    @classmethod
    def of(cls, memory: Memory) -> "RelationAnswer":
        relation = relation_of(memory)
        return cls(
            id=memory.id,
            subject=relation.subject,
            subject_type=relation.subject_type,
            predicate=relation.predicate,
            object=relation.object,
            object_type=relation.object_type,
            confidence=memory.confidence,
            last_confirmed_at=memory.validity.known_from,
        )
