"""Models without a model, one that fails, a clock that stands still, a meter to look at."""

import json
import re
from asyncio import sleep
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import blake2b
from itertools import count
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memweaver.domain.conversation import Message
from memweaver.domain.memory import Vector
from memweaver.errors import ModelError, ModelUnavailable
from memweaver.ports.clock import Clock
from memweaver.ports.meter import Figures
from memweaver.ports.models import ChatModel, Completion, Embedder, Schema

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


@dataclass(frozen=True, slots=True)
class Asked:
    """What a scripted model was asked."""

    messages: Sequence[Message]
    schema: Schema | None
    tokens: int

    @property
    def text(self) -> str:
        """The last message: of our own questions, the data."""
        return self.messages[-1].text

    @property
    def purpose(self) -> str:
        """The title of the schema: `episodic`, `semantic`, `procedural`, `decide`, `repair`."""
        return str((self.schema or {}).get("title", ""))


Answer = str | Completion | ModelError | Mapping[str, object]
"""What a scripted model answers, or fails with; an object is written as JSON."""
NOTHING: Answer = {"memories": []}


class ScriptedModel(ChatModel):
    """Answers as told: first `answers` in their order, then `otherwise`, each after `latency`."""

    def __init__(
        self,
        *answers: Answer,
        otherwise: Answer | Callable[[Asked], Answer] = NOTHING,
        latency: float = 0.0,
        model: str = "scripted",
    ) -> None:
        self._answers = list(answers)
        self._otherwise = otherwise
        self._latency = latency
        self._model = model
        self.asked: list[Asked] = []

    @property
    def model(self) -> str:
        return self._model

    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None, tokens: int
    ) -> Completion:
        asked = Asked(messages, schema, tokens)
        self.asked.append(asked)
        answer = self._answers.pop(0) if self._answers else self._otherwise
        if self._latency:
            await sleep(self._latency)
        return completion(answer(asked) if callable(answer) else answer)


def completion(answer: Answer) -> Completion:
    match answer:
        case ModelError():
            raise answer
        case Completion():
            return answer
        case str():
            return Completion(answer)
        case _:
            return Completion(json.dumps(answer, ensure_ascii=False))


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


class Tally(Figures):
    """Keeps what it is told, for tests to look at; `told` adds up, or keeps the latest level."""

    def __init__(self) -> None:
        self._told: dict[Told, float] = {}

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        self._told[told(name, labels)] = self.told(name, **labels) + max(amount, 0)

    def time(self, name: str, seconds: float, **labels: str) -> None:
        """How long it took depends on the machine; tests look at how often it was noted."""
        self.count(name, 1, **labels)

    def level(self, name: str, value: float, **labels: str) -> None:
        self._told[told(name, labels)] = value

    def here(self) -> str | None:
        return None

    def told(self, name: str, **labels: str) -> float:
        return self._told.get(told(name, labels), 0)

    def page(self) -> str:
        return "".join(
            f"{name}{dict(sorted(labels))} {value}\n"
            for (name, labels), value in self._told.items()
        )


Told = tuple[str, frozenset[tuple[str, str]]]


def told(name: str, labels: Mapping[str, str]) -> Told:
    return name, frozenset(labels.items())
