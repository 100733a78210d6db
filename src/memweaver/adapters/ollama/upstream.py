"""An Ollama server as the model that requests are passed on to, in its own protocol."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from math import isfinite
from typing import Any

from httpx import Response

from memweaver.adapters.http import Endpoint, HttpPassage, Line, WholePassage, open_line
from memweaver.adapters.ollama import translating
from memweaver.adapters.ollama.translating import Chunks
from memweaver.errors import ModelOutputInvalid
from memweaver.ports.upstream import Json, Passage, Upstream

LARGEST = 64 * 1024 * 1024
"""Bytes of one line, or of one whole answer: many vectors are long."""


class OllamaStream(HttpPassage):
    """Lines of JSON on the one side, events on the other, each as soon as its line is whole."""

    def __init__(self, response: Response, chunks: Chunks) -> None:
        super().__init__(response)
        self._chunks = chunks

    @property
    def headers(self) -> Mapping[str, str]:
        return {**super().headers, "content-type": "text/event-stream"}

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        rest = b""
        async for piece in super().__aiter__():
            *lines, rest = (rest + piece).split(b"\n")
            if len(rest) > LARGEST:
                raise ModelOutputInvalid("the model sent a line without end")
            if events := b"".join(self._events(line) for line in lines):
                yield events
        if events := self._events(rest):
            yield events

    def _events(self, line: bytes) -> bytes:
        told = json_object(line)
        return b"".join(self._chunks.events(told)) if told else b""


class OllamaUpstream(Upstream):
    def __init__(self, line: Line, model: str) -> None:
        self._line = line
        self._model = model

    @property
    def model(self) -> str:
        return self._model

    async def chat(self, request: Json) -> Passage:
        response = await self._line.post("api/chat", translating.question(request))
        if response.is_success and request.get("stream") is True:
            return OllamaStream(response, Chunks(with_usage=wants_usage(request)))
        return await self._translated(response, translating.completion)

    async def embeddings(self, request: Json) -> Passage:
        response = await self._line.post("api/embed", request)
        return await self._translated(response, translating.embeddings)

    async def models(self) -> Passage:
        return await self._translated(await self._line.get("api/tags"), translating.models)

    async def _translated(
        self, response: Response, translate: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    ) -> Passage:
        if not response.is_success:
            return await self._line.failure(response)
        passage = HttpPassage(response)
        try:
            content = await whole(passage)
        finally:
            await passage.aclose()
        answer = json_object(content)
        if answer is None:
            raise ModelOutputInvalid("the model did not answer with a JSON object")
        return WholePassage(passage.status, json.dumps(translate(answer)).encode(), passage.headers)


async def whole(passage: Passage) -> bytes:
    content = bytearray()
    async for piece in passage:
        content += piece
        if len(content) > LARGEST:
            raise ModelOutputInvalid(f"the model answered with more than {LARGEST} bytes")
    return bytes(content)


def wants_usage(request: Json) -> bool:
    match request.get("stream_options"):
        case {"include_usage": True}:
            return True
        case _:
            return False


def json_object(content: bytes) -> Mapping[str, Any] | None:
    try:
        told = json.loads(content, parse_float=finite, parse_constant=finite)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None


def finite(number: str) -> float:
    """Numbers without end are no JSON, though Python would read them, and write them again."""
    if isfinite(value := float(number)):
        return value
    raise ValueError


@asynccontextmanager
async def open_ollama_upstream(
    *, url: str, model: str, patience: float = 300.0
) -> AsyncGenerator[Upstream]:
    """Nothing is sent before the first request. Raises `ConfigurationError`."""
    async with open_line(Endpoint(url, patience)) as line:
        yield OllamaUpstream(line, model)
