"""The contract of the `Embedder` port, as tests."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager

import numpy as np
import pytest
from anyio import create_task_group
from numpy.typing import NDArray

from memweaver.domain.memory import Vector
from memweaver.ports.models import Embedder

TEXTS = [
    "Giulia moved to Oslo in May.",
    "tea",
    "My sister keeps two cats, a dog and a very old tortoise that nobody dares to wake. " * 20,
    "Wir fahren morgen nach Köln.",
    "明日は東京へ行きます。",
    "👩‍🚀🚀",
]
ODD = ["", "   ", "\n\t", "\x00", "\ud800 alone", "." * 100_000, "word " * 50_000, "a" * 100_000]
"""What nobody means to embed, and somebody will."""


class EmbedderSuite(ABC):
    """Subclass, and say how to open the embedder."""

    nearness: float = 0.9999
    """Least cosine between vectors of one text made on different occasions."""

    @abstractmethod
    def open_embedder(self) -> AbstractAsyncContextManager[Embedder]: ...

    @pytest.fixture
    async def embedder(self) -> AsyncGenerator[Embedder]:
        async with self.open_embedder() as embedder:
            yield embedder

    async def test_it_has_a_name_and_a_number_of_dimensions(self, embedder: Embedder) -> None:
        assert embedder.model.strip()
        assert embedder.dimensions > 0

    async def test_every_text_gets_a_unit_vector(self, embedder: Embedder) -> None:
        vectors = matrix(await embedder.embed(TEXTS))
        assert vectors.shape == (len(TEXTS), embedder.dimensions)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)

    async def test_no_text_gets_no_vector(self, embedder: Embedder) -> None:
        assert list(await embedder.embed([])) == []

    async def test_vectors_come_in_the_order_of_the_texts(self, embedder: Embedder) -> None:
        together = matrix(await embedder.embed(TEXTS))
        turned = matrix(await embedder.embed(TEXTS[::-1]))[::-1]
        assert np.all(np.sum(together * turned, axis=1) > self.nearness)

    async def test_a_text_gets_the_same_vector_alone_and_in_company(
        self, embedder: Embedder
    ) -> None:
        together = matrix(await embedder.embed(TEXTS))
        for text, vector in zip(TEXTS, together, strict=True):
            alone = matrix(await embedder.embed([text]))[0]
            assert float(alone @ vector) > self.nearness

    async def test_different_texts_get_different_vectors(self, embedder: Embedder) -> None:
        vectors = matrix(await embedder.embed(TEXTS))
        likeness = vectors @ vectors.T - np.eye(len(TEXTS))
        assert likeness.max() < 0.999

    async def test_odd_and_endless_texts_are_embedded_too(self, embedder: Embedder) -> None:
        vectors = matrix(await embedder.embed(ODD))
        assert vectors.shape == (len(ODD), embedder.dimensions)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)

    async def test_many_texts_at_once_are_all_embedded(self, embedder: Embedder) -> None:
        texts = [f"note {number}" for number in range(300)]
        vectors = matrix(await embedder.embed(texts))
        assert vectors.shape == (300, embedder.dimensions)
        last = matrix(await embedder.embed(texts[-1:]))[0]
        assert float(last @ vectors[-1]) > self.nearness

    async def test_callers_at_the_same_time_get_each_their_own(self, embedder: Embedder) -> None:
        expected = matrix(await embedder.embed(TEXTS))
        got: dict[int, NDArray[np.float32]] = {}

        async def ask(number: int) -> None:
            got[number] = matrix(await embedder.embed([TEXTS[number % len(TEXTS)]]))[0]

        async with create_task_group() as tasks:
            for number in range(4 * len(TEXTS)):
                tasks.start_soon(ask, number)
        for number, vector in got.items():
            assert float(vector @ expected[number % len(TEXTS)]) > self.nearness


def matrix(vectors: Sequence[Vector]) -> NDArray[np.float32]:
    return np.stack([np.frombuffer(vector, dtype="<f4") for vector in vectors])
