"""An embedder behind HTTP, whichever dialect it speaks."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Protocol

import numpy as np
from httpx import AsyncClient
from numpy.typing import NDArray

from memweaver.adapters.http.answers import JSON, InputRefused, result, translated
from memweaver.adapters.http.endpoint import Endpoint
from memweaver.adapters.http.retries import Retries
from memweaver.domain.memory import Vector
from memweaver.errors import ModelOutputInvalid
from memweaver.ports.models import Embedder

LONGEST = 8000
"""Characters sent of a text."""

SHORTEST = 250
"""Characters below which a refused text is not cut further."""

TOGETHER = 32
"""Texts sent in one request."""


class Dialect(Protocol):
    """How a service wants to be asked."""

    path: str
    missing: str
    """What to do about a model the service does not have."""

    def question(self, texts: Sequence[str]) -> JSON: ...

    def vectors(self, answer: JSON) -> object:
        """A list of lists of numbers, in the order of the texts, if the answer is as it should be.

        Raises `LookupError`, `TypeError` or `ValueError` if it is not.
        """
        ...


class HttpEmbedder(Embedder):
    """Sends texts in batches, cut to 8000 characters, and tries again what may pass."""

    def __init__(
        self,
        client: AsyncClient,
        dialect: Dialect,
        *,
        model: str,
        dimensions: int,
        retries: Retries,
    ) -> None:
        self._client = client
        self._dialect = dialect
        self._model = model
        self._dimensions = dimensions
        self._retries = retries

    @property
    def model(self) -> str:
        return f"{self._model}@{self._dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        vectors: list[Vector] = []
        for start in range(0, len(texts), TOGETHER):
            vectors += await self._batch(
                [sendable(text) for text in texts[start : start + TOGETHER]]
            )
        return vectors

    async def _batch(self, texts: Sequence[str]) -> Sequence[Vector]:
        try:
            return await self._retries(partial(self._ask, texts))
        except InputRefused:
            if len(texts) == 1 and len(texts[0]) <= SHORTEST:
                raise
            return await self._piecemeal(texts)

    async def _piecemeal(self, texts: Sequence[str]) -> Sequence[Vector]:
        """What was refused together is sent one by one, what was refused alone is cut in half."""
        if len(texts) == 1:
            return await self._batch([texts[0][: len(texts[0]) // 2]])
        return [(await self._batch([text]))[0] for text in texts]

    async def _ask(self, texts: Sequence[str]) -> Sequence[Vector]:
        with translated(f"the model {self._model}"):
            response = await self._client.post(
                self._dialect.path, json=self._dialect.question(texts)
            )
        answer = result(response, self._model, self._dialect.missing)
        try:
            given = np.array(self._dialect.vectors(answer), dtype=np.float64)
        except (LookupError, TypeError, ValueError):
            # The cause would carry the answer.
            raise self._invalid("something else than lists of numbers") from None
        return self._units(given, len(texts))

    def _units(self, given: NDArray[np.float64], expected: int) -> Sequence[Vector]:
        if given.shape != (expected, self._dimensions):
            raise self._invalid(
                f"vectors of shape {given.shape}, not {(expected, self._dimensions)}"
            )
        lengths = np.linalg.norm(given, axis=1, keepdims=True)
        if not (np.isfinite(lengths).all() and lengths.all()):
            raise self._invalid("vectors without a direction")
        return [unit.tobytes() for unit in (given / lengths).astype("<f4")]

    def _invalid(self, what: str) -> ModelOutputInvalid:
        return ModelOutputInvalid(f"the model {self._model} answered with {what}")


@asynccontextmanager
async def open_embedder(
    endpoint: Endpoint, dialect: Dialect, *, model: str, dimensions: int, retries: Retries
) -> AsyncGenerator[HttpEmbedder]:
    """Raises `ConfigurationError` if the endpoint cannot be one."""
    async with endpoint.client() as client:
        yield HttpEmbedder(client, dialect, model=model, dimensions=dimensions, retries=retries)


def sendable(text: str) -> str:
    """`text` as services take it: not too long, no half characters, not empty."""
    cut = text[:LONGEST].encode("utf-8", "replace").decode()
    return cut if cut.strip() else "."
