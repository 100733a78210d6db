"""The contract of the `Upstream` port, as tests."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from memweaver.ports.upstream import Passage, Upstream

HELLO = {"model": "small", "messages": [{"role": "user", "content": "How are you?"}]}


async def whole(passage: Passage) -> bytes:
    try:
        return b"".join([piece async for piece in passage])
    finally:
        await passage.aclose()


def words(content: bytes) -> str:
    """What the events of a stream say together."""
    told = [line[6:] for line in content.split(b"\n") if line.startswith(b"data: ")]
    assert told.pop() == b"[DONE]"
    chunks: list[Any] = [json.loads(one) for one in told]
    return "".join(
        choice["delta"].get("content") or "" for chunk in chunks for choice in chunk["choices"]
    )


class UpstreamSuite(ABC):
    """Subclass, and say how to open one whose model says "Fine, thank you." to everything."""

    @abstractmethod
    def open_upstream(self) -> AbstractAsyncContextManager[Upstream]: ...

    @pytest.fixture
    async def upstream(self) -> AsyncGenerator[Upstream]:
        async with self.open_upstream() as upstream:
            yield upstream

    async def test_an_answer_comes_whole_in_openais_shape(self, upstream: Upstream) -> None:
        passage = await upstream.chat(HELLO)
        assert passage.status == 200
        assert passage.headers["content-type"].startswith("application/json")
        answer = json.loads(await whole(passage))
        assert answer["object"] == "chat.completion"
        assert answer["choices"][0]["message"]["content"] == "Fine, thank you."
        assert answer["choices"][0]["finish_reason"] == "stop"
        assert answer["usage"]["total_tokens"] == 43

    async def test_a_stream_comes_as_events(self, upstream: Upstream) -> None:
        passage = await upstream.chat({**HELLO, "stream": True})
        assert passage.headers["content-type"].startswith("text/event-stream")
        assert words(await whole(passage)) == "Fine, thank you."

    async def test_closing_again_changes_nothing(self, upstream: Upstream) -> None:
        passage = await upstream.chat({**HELLO, "stream": True})
        pieces = aiter(passage)
        assert await anext(pieces)
        await passage.aclose()
        await passage.aclose()
        assert await whole(await upstream.chat(HELLO))

    async def test_many_at_once_are_all_answered(self, upstream: Upstream) -> None:
        async def ask() -> str:
            return words(await whole(await upstream.chat({**HELLO, "stream": True})))

        assert set(await asyncio.gather(*(ask() for _ in range(8)))) == {"Fine, thank you."}

    async def test_it_lists_its_models(self, upstream: Upstream) -> None:
        listed = json.loads(await whole(await upstream.models()))
        assert listed["object"] == "list"
        assert all(model["object"] == "model" and model["id"] for model in listed["data"])
        assert listed["data"]

    async def test_it_embeds(self, upstream: Upstream) -> None:
        asked = {"model": "small", "input": ["one", "two"]}
        answer = json.loads(await whole(await upstream.embeddings(asked)))
        assert [one["index"] for one in answer["data"]] == [0, 1]
        assert all(one["embedding"] for one in answer["data"])

    async def test_it_has_a_model_for_who_names_none(self, upstream: Upstream) -> None:
        assert upstream.model.strip()
