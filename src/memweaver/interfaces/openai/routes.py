"""/v1/chat/completions, /v1/models, /v1/embeddings: as OpenAI's clients ask for them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter
from pydantic import JsonValue
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from memweaver.errors import NotFound
from memweaver.interfaces.door import Chatter, Memweaver
from memweaver.interfaces.openai.errors import InOpenAIsShape
from memweaver.interfaces.openai.passing import passed, read
from memweaver.interfaces.openai.wire import (
    CHAT_BODY,
    COMPLETION,
    EMBEDDING_BODY,
    EMBEDDINGS,
    MODEL,
    MODELS,
    ProxyErrorAnswer,
    WishesHeader,
    body_of,
    manner_of,
)

FAILURES: dict[int | str, dict[str, Any]] = {
    "default": {"model": ProxyErrorAnswer, "description": "What went wrong, in OpenAI's shape"}
}
PIECE = {
    "type": "object",
    "description": "One event: a piece of the answer as JSON, in the end `[DONE]`",
    "properties": {"data": {"type": "string"}},
}
STREAM: dict[str, Any] = {"text/event-stream": {"schema": PIECE}}
Answers = dict[int | str, dict[str, Any]]


def shown(example: JsonValue, also: Mapping[str, Any] = MappingProxyType({})) -> Answers:
    """What comes back, of which nothing is promised but that the model said it."""
    whole = {"schema": {"type": "object"}, "example": example}
    content = {"application/json": whole, **also}
    return {200: {"description": "The model's answer, as it gave it", "content": content}}


router = APIRouter(prefix="/v1", tags=["chat"], route_class=InOpenAIsShape, responses=FAILURES)


@router.post(
    "/chat/completions",
    response_class=Response,
    responses=shown(COMPLETION, STREAM),
    openapi_extra=CHAT_BODY,
)
async def complete_chat(
    services: Memweaver, caller: Chatter, wishes: WishesHeader, request: Request
) -> Response:
    """Pass a chat on to the model, with what is worth remembering, and record the turn.

    Every field of OpenAI's API is passed on untouched; the answer comes back byte for byte, piece
    by piece with `stream`.
    """
    body = await body_of(request)
    manner = await manner_of(services, caller, wishes, body)
    return await passed(await services.chat(body, manner))


@router.post(
    "/embeddings",
    response_class=Response,
    responses=shown(EMBEDDINGS),
    openapi_extra=EMBEDDING_BODY,
)
async def embed(services: Memweaver, caller: Chatter, request: Request) -> Response:
    """Pass a request for embeddings on to the model."""
    return await passed(await services.chat.embeddings(await body_of(request), caller.user))


@router.get("/models", response_class=Response, responses=shown(MODELS))
async def list_models(services: Memweaver, _: Chatter) -> Response:
    """The models there are to talk to."""
    return await passed(await services.chat.upstream.models())


@router.get("/models/{model_id:path}", response_class=Response, responses=shown(MODEL))
async def read_model(services: Memweaver, _: Chatter, model_id: str) -> Response:
    """One of the models there are to talk to."""
    listed = (await read(await services.chat.upstream.models())).get("data")
    for model in listed if isinstance(listed, list) else ():
        if isinstance(model, dict) and model.get("id") == model_id:
            return JSONResponse(model)
    raise NotFound("there is no such model")
