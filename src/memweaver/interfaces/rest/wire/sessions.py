"""Sessions as they travel."""

from datetime import datetime

from pydantic import ConfigDict, JsonValue

from memweaver.interfaces.rest.wire.fields import AiName, Body, Text, Wire
from memweaver.ports.sessions import Session

KEPT: dict[str, JsonValue] = {
    "id": "019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d11",
    "ai": None,
    "name": "Holidays",
    "created_at": "2026-05-01T09:30:00Z",
}


class NewSession(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Holidays"}]})

    name: Text
    ai: AiName = None


class SessionChange(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Holidays in Lisbon"}]})

    name: Text


class SessionAnswer(Wire):
    model_config = ConfigDict(json_schema_extra={"examples": [KEPT]})

    id: str
    ai: str | None
    name: str
    created_at: datetime

    @classmethod
    def of(cls, session: Session) -> "SessionAnswer":
        return cls(
            id=session.id,
            ai=session.scope.ai,
            name=session.name,
            created_at=session.created_at,
        )
