"""An upstream without a model, for tests: says what it is told to, or fails."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field

from memweaver.errors import ModelError
from memweaver.ports.upstream import Json, Passage, Upstream

WHOLE = b'{"choices":[{"index":0,"message":{"content":"Fine."},"finish_reason":"stop"}]}'


@dataclass
class ScriptedPassage(Passage):
    """Pieces, and then perhaps a failure."""

    pieces: Sequence[bytes] = (WHOLE,)
    content_type: str = "application/json"
    code: int = 200
    failure: Exception | None = None
    closed: int = 0

    @property
    def status(self) -> int:
        return self.code

    @property
    def headers(self) -> Mapping[str, str]:
        return {"content-type": self.content_type}

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        for piece in self.pieces:
            yield piece
        if self.failure:
            raise self.failure

    async def aclose(self) -> None:
        self.closed += 1


@dataclass
class ScriptedUpstream(Upstream):
    """Answers with `answers` in their order, then with "Fine."; keeps what it was `asked`."""

    answers: list[ScriptedPassage | ModelError] = field(
        default_factory=list[ScriptedPassage | ModelError]
    )
    asked: list[Json] = field(default_factory=list[Json])

    @property
    def model(self) -> str:
        return "scripted"

    async def chat(self, request: Json) -> Passage:
        self.asked.append(request)
        answer = self.answers.pop(0) if self.answers else ScriptedPassage()
        if isinstance(answer, ModelError):
            raise answer
        return answer

    async def embeddings(self, request: Json) -> Passage:
        return await self.chat(request)

    async def models(self) -> Passage:
        return await self.chat({})
