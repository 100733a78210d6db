"""Answers as they are passed back: whole, or piece by piece to whoever still listens."""

import json
import logging
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from memweaver.errors import MemweaverError, ModelOutputInvalid
from memweaver.interfaces.openai.errors import show_ours
from memweaver.ports.upstream import Passage

log = logging.getLogger(__name__)

EVENTS = "text/event-stream"
UNBUFFERED = {"cache-control": "no-cache", "x-accel-buffering": "no"}
"""So that nothing on the way waits for more."""


class Passing(StreamingResponse):
    """Events, each sent as it comes. Closed when they end, and also when the listener leaves."""

    def __init__(self, passage: Passage) -> None:
        super().__init__(pieces(passage), passage.status, {**passage.headers, **UNBUFFERED})
        self._passage = passage

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._passage.aclose()


async def pieces(passage: Passage) -> AsyncGenerator[bytes]:
    """A model that fails in mid-answer ends it with an event that says so, as OpenAI's does.

    Closed before the last byte is sent: whoever has read to the end finds the turn recorded.
    """
    try:
        async for piece in passage:
            yield piece
    except MemweaverError as error:
        log.warning("an answer broke off: %s", error.code, extra={"action": "answer_broke_off"})
        yield b"\n\ndata: " + bytes(show_ours(error).body) + b"\n\n"
    await passage.aclose()


async def passed(passage: Passage) -> Response:
    """The response to whoever asked; from here on it is closed by itself."""
    if passage.headers.get("content-type", "").startswith(EVENTS):
        return Passing(passage)
    try:
        content = b"".join([piece async for piece in passage])
    finally:
        await passage.aclose()
    return Response(content, passage.status, dict(passage.headers))


async def read(passage: Passage) -> Mapping[str, Any]:
    """The JSON object of a whole answer. Raises `ModelOutputInvalid`."""
    response = await passed(passage)
    try:
        told = json.loads(bytes(response.body))
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise ModelOutputInvalid("the upstream did not answer with a JSON object")
    return told
