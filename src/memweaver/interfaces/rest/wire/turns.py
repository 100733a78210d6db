"""Turns as they travel."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, ConfigDict, Field, JsonValue
from pydantic_core import PydanticCustomError

from memweaver.domain.conversation import Message, Role, Said, Turn
from memweaver.domain.job import Reflection
from memweaver.domain.parts import text_of_parts
from memweaver.errors import InvalidInput
from memweaver.interfaces.rest.wire.fields import (
    AiName,
    Body,
    Metadata,
    Moment,
    PageQuery,
    Spelt,
    Text,
    Wire,
)
from memweaver.services.record import Recorded

MESSAGES: list[dict[str, JsonValue]] = [
    {"role": "user", "text": "My sister Ada moved to Lisbon last week."},
    {"role": "assistant", "text": "I hope she likes it there!"},
]
IN_PARTS: dict[str, JsonValue] = {
    "role": "user",
    "text": [
        {"type": "text", "text": "This is my sister."},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
    ],
}
KEPT: dict[str, JsonValue] = {
    "id": "019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d11",
    "ai": None,
    "session": "2026-05-01",
    "at": "2026-05-01T09:30:00Z",
    "recorded_at": "2026-05-01T09:30:00Z",
    "messages": [{**message, "name": None} for message in MESSAGES],
    "metadata": {},
}
RECORDED: dict[str, JsonValue] = {**KEPT, "reflection": KEPT["id"], "status": "queued"}
Parts = Annotated[list[dict[str, JsonValue]], Field(min_length=1)]


class TurnsQuery(PageQuery):
    session: Annotated[str | None, Field(description="Only the turns of this session")] = None


def in_one(given: object) -> object:
    """The text of a message that came in parts; anything else as it is."""
    if not isinstance(given, list):
        return given
    try:
        return text_of_parts(given)
    except InvalidInput as error:
        raise PydanticCustomError(error.code, "{reason}", {"reason": str(error)}) from error


class MessageBody(Body):
    role: Spelt[Role]
    text: Annotated[
        Text,
        BeforeValidator(in_one, json_schema_input_type=Text | Parts),
        Field(
            validation_alias=AliasChoices("text", "content"),
            description="Words, or parts as chat APIs have them: texts are joined, anything else "
            "is kept as `[image]`, `[audio]`, `[file]`. May be called `content`",
        ),
    ]
    name: Annotated[str | None, Field(description="Who speaks, where several share a role")] = None


class NewTurn(Body):
    """What was heard and said, to be kept verbatim."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"messages": [*MESSAGES], "session": "2026-05-01"},
                {"messages": [IN_PARTS]},
            ]
        }
    )

    messages: list[MessageBody]
    session: str = "default"
    at: Annotated[Moment | None, Field(description="When it was said; now, if not given")] = None
    ai: AiName = None
    metadata: Metadata = Field(default_factory=dict)

    def said(self) -> Said:
        messages = tuple(Message(it.role, it.text, it.name) for it in self.messages)
        return Said(messages, self.session, self.at, dict(self.metadata))


class MessageAnswer(Wire):
    role: Role
    text: str
    name: str | None


class TurnAnswer(Wire):
    model_config = ConfigDict(json_schema_extra={"examples": [KEPT]})

    id: str
    ai: str | None
    session: str
    at: datetime
    recorded_at: datetime
    messages: list[MessageAnswer]
    metadata: dict[str, Any]

    @classmethod
    def of(cls, turn: Turn) -> "TurnAnswer":
        return cls(
            id=turn.id,
            ai=turn.scope.ai,
            session=turn.session,
            at=turn.at,
            recorded_at=turn.recorded_at,
            messages=[
                MessageAnswer(role=it.role, text=it.text, name=it.name) for it in turn.messages
            ],
            metadata=dict(turn.metadata),
        )


class RecordedTurn(TurnAnswer):
    """A turn that was just kept, and where to ask what becomes of it."""

    model_config = ConfigDict(json_schema_extra={"examples": [RECORDED]})

    reflection: Annotated[
        str | None,
        Field(description="Its job, to ask `/v1/reflections` about; null if it left none"),
    ]
    status: Annotated[
        Reflection,
        Field(
            description="`queued`, `processed` if it was reflected upon at once, or `stored` if "
            "it was not, or not wholly, and no job is left to do so"
        ),
    ]

    @classmethod
    def kept(cls, recorded: Recorded) -> "RecordedTurn":
        turn = recorded.turn
        return cls(
            **dict(TurnAnswer.of(turn)),
            reflection=turn.id if recorded.job else None,
            status=recorded.reflection,
        )
