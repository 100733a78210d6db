"""Any service that speaks OpenAI's protocol, as the model that requests are passed on to."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from httpx import Response

from memweaver.adapters.http import Endpoint, HttpPassage, Line, open_line
from memweaver.ports.upstream import Json, Passage, Upstream


class OpenAIUpstream(Upstream):
    def __init__(self, line: Line, model: str) -> None:
        self._line = line
        self._model = model

    @property
    def model(self) -> str:
        return self._model

    async def chat(self, request: Json) -> Passage:
        return await self._passage(await self._line.post("chat/completions", request))

    async def embeddings(self, request: Json) -> Passage:
        return await self._passage(await self._line.post("embeddings", request))

    async def models(self) -> Passage:
        return await self._passage(await self._line.get("models"))

    async def _passage(self, response: Response) -> Passage:
        if response.is_success:
            return HttpPassage(response)
        return await self._line.failure(response)


@asynccontextmanager
async def open_openai_upstream(
    *, url: str, model: str, api_key: str = "", proxy: str = "", patience: float = 300.0
) -> AsyncGenerator[Upstream]:
    """Nothing is sent before the first request. Raises `ConfigurationError`."""
    async with open_line(Endpoint(url, patience, api_key, proxy)) as line:
        yield OpenAIUpstream(line, model)
