"""The upstream suite on every upstream, and on broken ones to see that it notices."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest

from memweaver.adapters.ollama import open_ollama_upstream
from memweaver.adapters.openai import open_openai_upstream
from memweaver.ports.upstream import Json, Passage, Upstream
from memweaver.testing.conformance.upstream import UpstreamSuite
from memweaver.testing.model_server import Script, serving
from memweaver.testing.upstreams import ScriptedUpstream


class TestOpenAI(UpstreamSuite):
    @asynccontextmanager
    async def open_upstream(self) -> AsyncGenerator[Upstream]:
        async with (
            serving(Script()) as service,
            open_openai_upstream(url=service.url, model="small") as upstream,
        ):
            yield upstream


class TestOllama(UpstreamSuite):
    @asynccontextmanager
    async def open_upstream(self) -> AsyncGenerator[Upstream]:
        async with (
            serving(Script()) as service,
            open_ollama_upstream(url=service.url.removesuffix("/v1"), model="small") as upstream,
        ):
            yield upstream


class NeverStreaming(ScriptedUpstream):
    async def chat(self, request: Json) -> Passage:
        return await super().chat({})


async def test_the_suite_notices_an_upstream_that_does_not_stream() -> None:
    with pytest.raises(AssertionError):
        await TestOpenAI().test_a_stream_comes_as_events(NeverStreaming())
