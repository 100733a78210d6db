"""What the proxy reads of a request besides what it passes on: headers and `metadata`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Annotated, Any

from fastapi import Header
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from starlette.requests import Request

from memweaver.domain.chat import PREFIX
from memweaver.domain.front_ends import PASSING
from memweaver.domain.principal import Permission, Principal
from memweaver.domain.scope import LONGEST_NAME, checked_name
from memweaver.errors import InvalidInput
from memweaver.services import Services
from memweaver.services.chat import Manner

DEFAULT_SESSION = "default"
SWITCH = {"on": True, "off": False}

Switch = Annotated[str | None, Field(description="`on` or `off`", examples=["off"])]


@dataclass(frozen=True, slots=True)
class Wish:
    """What a request says of one thing, and the name under which it was sent."""

    field: str
    value: str | None

    def name(self) -> str | None:
        """The name of somebody or something. Raises `InvalidInput`."""
        return None if self.value is None else checked_name(self.field, self.value)


class Wishes(BaseModel):
    """Headers by which a request says how memory is to be used; `metadata` may say the same."""

    model_config = ConfigDict(extra="ignore")

    x_memweaver_session: Annotated[
        str | None, Field(description="The conversation this belongs to")
    ] = None
    x_memweaver_ai: Annotated[
        str | None,
        Field(description="The AI that is spoken to; `ai_uuid` in the body says the same"),
    ] = None
    x_memweaver_recall: Switch = None
    x_memweaver_record: Switch = None
    x_memweaver_ephemeral: Switch = None
    x_openwebui_chat_id: Annotated[
        str | None, Field(description="The conversation, as Open WebUI names it")
    ] = None
    idempotency_key: Annotated[
        str | None,
        Field(
            description="With the same key the turn is recorded once; other words are refused",
            min_length=1,
            max_length=LONGEST_NAME,
        ),
    ] = None

    def said(self, name: str, metadata: Mapping[str, Any]) -> Wish:
        """What the header says, or else the metadata. Raises `InvalidInput`."""
        header = f"x_{PREFIX}{name}"
        given = getattr(self, header)
        if given is None:
            return worded(f"metadata.{PREFIX}{name}", metadata.get(f"{PREFIX}{name}"))
        return Wish(header.replace("_", "-"), given)

    def switched(self, name: str, metadata: Mapping[str, Any], *, otherwise: bool) -> bool:
        """Raises `InvalidInput`."""
        given = self.said(name, metadata)
        if given.value is None:
            return otherwise
        if given.value.lower() not in SWITCH:
            raise InvalidInput(f"`{given.field}` must be `on` or `off`")
        return SWITCH[given.value.lower()]

    def ai(self, body: Mapping[str, Any], metadata: Mapping[str, Any]) -> str | None:
        """Raises `InvalidInput`."""
        given = self.said("ai", metadata)
        return (given if given.value else worded("ai_uuid", body.get("ai_uuid"))).name()

    def session(self, metadata: Mapping[str, Any]) -> str:
        """Raises `InvalidInput`."""
        given = self.said("session", metadata)
        if not given.value:
            given = Wish("x-openwebui-chat-id", self.x_openwebui_chat_id or None)
        return given.name() or DEFAULT_SESSION


def worded(field: str, value: object) -> Wish:
    """What the body says. Raises `InvalidInput`."""
    if value is not None and not isinstance(value, str):
        raise InvalidInput(f"`{field}` must be a string")
    return Wish(field, value)


WishesHeader = Annotated[Wishes, Header()]


async def manner_of(
    services: Services, caller: Principal, wishes: Wishes, body: Mapping[str, Any]
) -> Manner:
    """How memory is to be used. What the credential does not allow is not done, and no failure.

    Raises `InvalidInput`, and `NotFound` for an AI that the caller does not have.
    """
    given = body.get("metadata")
    metadata = given if isinstance(given, dict) else {}
    ai = wishes.ai(body, metadata)
    scope = caller.scope(ai)
    if ai is not None:
        await services.ais.ai(scope.user, ai)
    passing = (wishes.x_openwebui_chat_id or "").startswith(PASSING)
    ephemeral = wishes.switched("ephemeral", metadata, otherwise=passing)
    recall = wishes.switched("recall", metadata, otherwise=True)
    record = wishes.switched("record", metadata, otherwise=True)
    return Manner(
        scope,
        wishes.session(metadata),
        recall=recall and not ephemeral and Permission.READ in caller.permissions,
        record=record and not ephemeral and Permission.WRITE in caller.permissions,
        idempotency=Wish("idempotency-key", wishes.idempotency_key).name(),
    )


async def body_of(request: Request) -> dict[str, Any]:
    """The JSON object of a request. Raises `InvalidInput`."""
    try:
        body = json.loads(await request.body(), parse_constant=finite, parse_float=finite)
    except (ValueError, RecursionError):
        raise InvalidInput("the body is not valid JSON") from None
    if not isinstance(body, dict):
        raise InvalidInput("the body must be a JSON object")
    return body


def finite(number: str) -> float:
    """Numbers without end are no JSON, though Python reads them. Raises `ValueError`."""
    if not isfinite(value := float(number)):
        raise ValueError(number)
    return value


class ProxyError(BaseModel):
    message: str
    type: str | None = None
    param: str | None = None
    code: str | int | None = None


class ProxyErrorAnswer(BaseModel):
    """OpenAI's shape of a failure."""

    error: ProxyError


EXAMPLE: dict[str, JsonValue] = {
    "model": "gpt-4o-mini",
    "messages": [{"role": "user", "content": "Where does my sister live?"}],
    "stream": False,
    "metadata": {"memweaver_session": "2026-05-01"},
}
COMPLETION: dict[str, JsonValue] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1777627800,
    "model": "gpt-4o-mini",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "In Oslo, since March."},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 42, "completion_tokens": 7, "total_tokens": 49},
}
EMBEDDINGS: dict[str, JsonValue] = {
    "object": "list",
    "data": [{"object": "embedding", "index": 0, "embedding": [0.013, -0.021]}],
    "model": "text-embedding-3-small",
    "usage": {"prompt_tokens": 2, "total_tokens": 2},
}
MODEL: dict[str, JsonValue] = {
    "id": "gpt-4o-mini",
    "object": "model",
    "created": 1721172741,
    "owned_by": "system",
}
MODELS: dict[str, JsonValue] = {"object": "list", "data": [MODEL]}
CHAT_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "required": ["messages"],
                    "properties": {
                        "messages": {
                            "type": "array",
                            "minItems": 1,
                            "items": {"type": "object", "additionalProperties": True},
                        },
                        "model": {"type": "string"},
                        "stream": {"type": "boolean"},
                        "ai_uuid": {"type": "string", "description": "The AI that is spoken to"},
                        "ai_name": {"type": "string"},
                        "metadata": {"type": "object", "additionalProperties": True},
                    },
                    "additionalProperties": True,
                },
                "example": EXAMPLE,
            }
        },
    }
}
EMBEDDING_BODY: dict[str, Any] = {
    "parameters": [
        {
            "name": "Idempotency-Key",
            "in": "header",
            "required": False,
            "schema": {"type": "string"},
            "description": "Nothing is written: asked again, the model is asked anew",
        }
    ],
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {"type": "object", "additionalProperties": True},
                "example": {"model": "text-embedding-3-small", "input": "Good morning"},
            }
        },
    },
}
