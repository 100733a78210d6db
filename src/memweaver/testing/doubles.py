"""A model without a model, one that fails, and a clock that stands still."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import blake2b
from itertools import count
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memweaver.domain.memory import Vector
from memweaver.errors import ModelError, ModelUnavailable
from memweaver.ports.clock import Clock
from memweaver.ports.models import Embedder

WORD = re.compile(r"\w+")


class HashEmbedder(Embedder):
    """Adds up a fixed direction for each word: texts that share words are near each other."""

    def __init__(self, dimensions: int = 64, model: str = "words") -> None:
        self._dimensions = dimensions
        self._model = model

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        words = Counter(WORD.findall(text.casefold()) or [""])
        total = sum(times * direction(word, self._dimensions) for word, times in words.items())
        unit: Vector = (total / np.linalg.norm(total)).astype("<f4").tobytes()
        return unit


@cache
def direction(word: str, dimensions: int) -> NDArray[np.float64]:
    seed = blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
    return np.random.default_rng(int.from_bytes(seed)).standard_normal(dimensions)


class FailingEmbedder(HashEmbedder):
    """Fails with `error`, a number of times or for ever; then it works."""

    def __init__(
        self,
        error: ModelError | None = None,
        *,
        times: int | None = None,
        dimensions: int = 64,
        model: str = "words",
    ) -> None:
        super().__init__(dimensions, model)
        self._error = error or ModelUnavailable("the model is away")
        self._left = times
        self.asked = 0
        """How often it was called."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.asked += 1
        if self._left == 0:
            return await super().embed(texts)
        if self._left is not None:
            self._left -= 1
        raise self._error


class StoppedClock(Clock):
    """Stands still, or moves on by `step` whenever it is read; `advance` moves it by hand."""

    def __init__(
        self,
        at: datetime = datetime(2026, 1, 1, tzinfo=UTC),
        step: timedelta = timedelta(),
    ) -> None:
        self._at = at
        self._step = step
        self._numbers = count(1)

    def now(self) -> datetime:
        now = self._at
        self._at += self._step
        return now

    def new_id(self) -> str:
        return str(UUID(int=next(self._numbers)))

    def advance(self, by: timedelta) -> None:
        self._at += by
