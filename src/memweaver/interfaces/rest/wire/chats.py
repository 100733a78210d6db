"""What travels over the literal routes about sessions and chats."""

from datetime import datetime
from typing import Annotated

from pydantic import AliasChoices, ConfigDict, Field, JsonValue

from memweaver.domain.conversation import Role, Turn
from memweaver.interfaces.rest.wire.fields import Body, Text, Wire
from memweaver.ports.sessions import Session

SESSION = "019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d11"
SAID: dict[str, JsonValue] = {
    "message": "My sister Ada moved to Lisbon.",
    "response": "I hope she likes it there!",
    "timestamp": "2026-05-01T09:30:00Z",
}


class SessionName(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"name": "Holidays"}]})

    name: Text


class NewName(Body):
    model_config = ConfigDict(json_schema_extra={"examples": [{"new_name": "Holidays in Lisbon"}]})

    new_name: Annotated[
        Text,
        Field(
            validation_alias=AliasChoices("new_name", "name"), description="May be called `name`"
        ),
    ]


class SessionMade(Wire):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"msg": "Session created", "session_id": SESSION}]}
    )

    msg: str
    session_id: str


class SessionRenamed(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"msg": "Session renamed successfully", "new_name": "Holidays in Lisbon"}]
        }
    )

    msg: str
    new_name: str


class Told(Wire):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"msg": "Session deleted successfully"}]}
    )

    msg: str


class ChatSession(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": SESSION,
                    "name": "Holidays",
                    "user_id": "ann",
                    "created_at": "2026-05-01T09:30:00Z",
                }
            ]
        }
    )

    id: str
    name: str
    user_id: str
    ai_uuid: Annotated[str | None, Field(description="Left out if it is with no AI")] = None
    created_at: datetime

    @classmethod
    def of(cls, session: Session) -> "ChatSession":
        return cls(
            id=session.id,
            name=session.name,
            user_id=session.scope.user,
            ai_uuid=session.scope.ai,
            created_at=session.created_at,
        )


class Exchange(Wire):
    """A turn as a message and its response."""

    model_config = ConfigDict(json_schema_extra={"examples": [SAID]})

    message: str
    response: str
    timestamp: datetime

    @classmethod
    def of(cls, turn: Turn) -> "Exchange":
        return cls(
            message=spoken(turn, Role.USER),
            response=spoken(turn, Role.ASSISTANT),
            timestamp=turn.at,
        )


class Chat(Exchange):
    model_config = ConfigDict(json_schema_extra={"examples": [{"id": SESSION, **SAID}]})

    id: Annotated[str, Field(description="The same as the turn's")]

    @classmethod
    def of(cls, turn: Turn) -> "Chat":
        return cls(id=turn.id, **dict(Exchange.of(turn)))


def spoken(turn: Turn, role: Role) -> str:
    return "\n".join(message.text for message in turn.messages if message.role is role)
