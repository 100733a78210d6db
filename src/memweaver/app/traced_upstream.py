"""The upstream, whose answers are spans: from passing a request on to the end of what came."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from time import perf_counter

from memweaver.adapters.otel import Attributes, Spans
from memweaver.errors import MemweaverError
from memweaver.ports.upstream import Json, Passage, Upstream


@dataclass(frozen=True, slots=True)
class TracedUpstream(Upstream):
    inner: Upstream
    spans: Spans

    @property
    def model(self) -> str:
        return self.inner.model

    async def chat(self, request: Json) -> Passage:
        return await self._followed("chat", self.inner.chat(request))

    async def embeddings(self, request: Json) -> Passage:
        return await self._followed("embeddings", self.inner.embeddings(request))

    async def models(self) -> Passage:
        return await self._followed("models", self.inner.models())

    async def _followed(self, operation: str, coming: Awaitable[Passage]) -> Passage:
        begun = perf_counter()
        # The model is the one of the settings: which one a request names is the caller's own.
        about: Attributes = {
            "gen_ai.operation.name": operation,
            "gen_ai.request.model": self.model,
        }

        def ended(more: Attributes) -> None:
            self.spans.past(f"upstream {operation}", perf_counter() - begun, {**about, **more})

        try:
            return TracedPassage(await coming, ended)
        except MemweaverError as error:
            ended({"error.type": error.code})
            raise


class TracedPassage(Passage):
    """Says when it has `ended`, once."""

    def __init__(self, inner: Passage, ended: Callable[[Attributes], None]) -> None:
        self._inner = inner
        self._ended: Callable[[Attributes], None] | None = ended

    @property
    def status(self) -> int:
        return self._inner.status

    @property
    def headers(self) -> Mapping[str, str]:
        return self._inner.headers

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._inner.__aiter__()

    async def aclose(self) -> None:
        await self._inner.aclose()
        ended, self._ended = self._ended, None
        if ended:
            ended({"http.response.status_code": self.status})
