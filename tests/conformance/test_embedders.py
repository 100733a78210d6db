"""The embedder suite on every embedder, and on broken ones to see that it notices."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from tests.unit.adapters.http.service import DIMENSIONS, serving

from memweaver.adapters.local import open_local
from memweaver.adapters.ollama import open_ollama
from memweaver.adapters.openai import open_openai
from memweaver.domain.memory import Vector
from memweaver.errors import ModelRefused
from memweaver.ports.models import Embedder
from memweaver.testing.conformance.embedder import EmbedderSuite
from memweaver.testing.doubles import HashEmbedder


@asynccontextmanager
async def opened(embedder: Embedder) -> AsyncGenerator[Embedder]:
    yield embedder


class TestHash(EmbedderSuite):
    def open_embedder(self) -> AbstractAsyncContextManager[Embedder]:
        return opened(HashEmbedder())


class TestLocal(EmbedderSuite):
    def open_embedder(self) -> AbstractAsyncContextManager[Embedder]:
        return open_local()


class TestOpenAI(EmbedderSuite):
    @asynccontextmanager
    async def open_embedder(self) -> AsyncGenerator[Embedder]:
        with serving() as service:
            async with open_openai(url=service.url, dimensions=DIMENSIONS) as embedder:
                yield embedder


class TestOllama(EmbedderSuite):
    @asynccontextmanager
    async def open_embedder(self) -> AsyncGenerator[Embedder]:
        with serving() as service:
            url = service.url.removesuffix("/v1")
            async with open_ollama(url=url, dimensions=DIMENSIONS) as embedder:
                yield embedder


class Unordered(HashEmbedder):
    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return await super().embed(sorted(texts))


class Unnormalised(HashEmbedder):
    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [bytes(4 * self.dimensions) for _ in texts]


class Refusing(HashEmbedder):
    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        if any(len(text) > 10_000 for text in texts):
            raise ModelRefused("too long")
        return await super().embed(texts)


class Few(HashEmbedder):
    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return (await super().embed(texts))[:100]


async def test_the_suite_notices_an_embedder_that_changes_the_order() -> None:
    with pytest.raises(AssertionError):
        await TestHash().test_vectors_come_in_the_order_of_the_texts(Unordered())


async def test_the_suite_notices_vectors_that_are_not_of_unit_length() -> None:
    with pytest.raises(AssertionError):
        await TestHash().test_every_text_gets_a_unit_vector(Unnormalised())


async def test_the_suite_notices_an_embedder_that_refuses_long_texts() -> None:
    with pytest.raises(ModelRefused):
        await TestHash().test_odd_and_endless_texts_are_embedded_too(Refusing())


async def test_the_suite_notices_an_embedder_that_answers_a_part() -> None:
    with pytest.raises(AssertionError):
        await TestHash().test_many_texts_at_once_are_all_embedded(Few())
