"""/chat: one message in, one reply out."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import ConfigDict, Field

from memweaver.domain.principal import Permission
from memweaver.interfaces.door import Chatter, Memweaver
from memweaver.interfaces.query import NoQuery
from memweaver.interfaces.rest.once import HEADER, ONCE, OnceRoute
from memweaver.interfaces.rest.wire.fields import Body, Idempotency, Text, Wire
from memweaver.services.chat import Manner

router = APIRouter(tags=["chat"], route_class=OnceRoute)


class ChatMessage(Body):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"message": "Where does my sister live?"}]}
    )

    message: Text
    session_id: Annotated[
        Text | None, Field(description="The session to go on with; without it a new one is made")
    ] = None


class ChatReply(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "response": "In Oslo, since March.",
                    "session_id": "019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d11",
                }
            ]
        }
    )

    response: str
    session_id: str


@router.post("/chat", dependencies=[ONCE])
async def chat(
    services: Memweaver,
    caller: Chatter,
    said: ChatMessage,
    _: Annotated[NoQuery, Query()],
    idempotency_key: Annotated[Idempotency | None, HEADER] = None,
) -> ChatReply:
    """Say something to the model, which knows what was said before, and what is remembered."""
    manner = Manner(
        caller.scope(),
        recall=Permission.READ in caller.permissions,
        record=Permission.WRITE in caller.permissions,
        idempotency=idempotency_key,
    )
    reply = await services.converse(manner, said.message, said.session_id)
    return ChatReply(response=reply.text, session_id=reply.session)
