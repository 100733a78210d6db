"""What travels over the literal routes about AIs and their collections."""

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue

from memweaver.interfaces.rest.wire.fields import Body, Metadata, Text, Wire

UUID = "019f2f6e-9a40-7c02-8f6b-58d2a1c4be37"
AI: dict[str, JsonValue] = {"ai_name": "Assistant AI", "ai_uuid": UUID}
KEPT: dict[str, JsonValue] = {**AI, "memory_type": "long_term_memory"}
DATA: dict[str, JsonValue] = {"content": "Ada lives in Lisbon.", "importance": "high"}
MEMORY = "019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d11"


class Handshake(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"ai_name": "Assistant AI"}]})

    ai_name: Text


class SessionData(Wire):
    ai_name: str
    ai_uuid: str
    created_at: datetime
    session_id: str
    internet_access: str
    tools: list[str]
    notes: str


class HandshakeAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "message": "Handshake successful",
                    "sessionData": {
                        **AI,
                        "created_at": "2026-05-01T09:30:00Z",
                        "session_id": MEMORY,
                        "internet_access": "safe_only",
                        "tools": [],
                        "notes": "",
                    },
                    "dbPaths": {
                        "working_memory": f"working_memory_{UUID}_Assistant_AI",
                        "long_term_memory": f"long_term_memory_{UUID}_Assistant_AI",
                        "personal_logs": f"personal_logs_{UUID}_Assistant_AI",
                        "archive": f"archive_{UUID}_Assistant_AI",
                    },
                }
            ]
        }
    )

    message: str
    session_data: SessionData = Field(alias="sessionData")
    db_paths: dict[str, str] = Field(alias="dbPaths")


class MemoryData(Body):
    """What is to be remembered; whatever stands beside `content` is kept with it."""

    model_config = ConfigDict(extra="allow")

    content: Text

    def beside(self) -> Metadata:
        return dict(self.model_extra or {})


class OfAnAi(Body):
    ai_name: Text
    ai_uuid: Text


class OfACollection(OfAnAi):
    memory_type: Annotated[
        str,
        Field(description="`working_memory`, `long_term_memory`, `personal_logs` or `archive`"),
    ]


class CreateMemory(OfACollection):
    model_config = ConfigDict(json_schema_extra={"examples": [{**KEPT, "memory_data": DATA}]})

    memory_data: MemoryData


class EditMemory(OfACollection):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{**KEPT, "memory_id": MEMORY, "memory_data": DATA}]}
    )

    memory_id: str
    memory_data: MemoryData


class DeleteMemory(OfACollection):
    model_config = ConfigDict(json_schema_extra={"examples": [{**KEPT, "memory_id": MEMORY}]})

    memory_id: str


class MoveMemory(OfAnAi):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    **AI,
                    "from_memory_type": "working_memory",
                    "to_memory_type": "long_term_memory",
                    "document_id": MEMORY,
                }
            ]
        }
    )

    from_memory_type: str
    to_memory_type: str
    document_id: Annotated[str, Field(description="The `memory_id`, which it keeps")]


class StatusAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"status": "Memory updated successfully."}]}
    )

    status: str


class CreatedAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"status": "Memory created successfully.", "memory_id": MEMORY}]
        }
    )

    status: str
    memory_id: str
