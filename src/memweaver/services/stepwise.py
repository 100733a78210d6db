"""Stepwise: ports for background work, of which whoever comes waits for one step at most."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from inspect import iscoroutinefunction
from itertools import pairwise
from typing import Any, TypeVar, cast

from memweaver.domain.memory import Vector
from memweaver.ports.models import Embedder
from memweaver.services.courtesy import Courtesy

T = TypeVar("T")

TEXTS = 2
"""Texts embedded in one step beside a crowd: a few milliseconds, and more are hardly quicker."""


def stepwise(port: T, courtesy: Courtesy) -> T:
    """The same port, each call of which is a step if it is one that is awaited."""
    return cast("T", Stepwise(port, courtesy))


class Stepwise:
    def __init__(self, port: object, courtesy: Courtesy) -> None:
        self._port = port
        self._courtesy = courtesy

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._port, name)
        return self._step(found) if iscoroutinefunction(found) else found

    def _step(self, call: Callable[..., Awaitable[T]]) -> Callable[..., Awaitable[T]]:
        async def step(*args: object, **named: object) -> T:
            async with self._courtesy.step():
                return await call(*args, **named)

        return step


@dataclass(frozen=True, slots=True)
class StepwiseEmbedder(Embedder):
    """Takes some texts in each step, if it is on this machine: elsewhere nobody here waits."""

    inner: Embedder
    courtesy: Courtesy

    @property
    def model(self) -> str:
        return self.inner.model

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    @property
    def here(self) -> bool:
        return self.inner.here

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        if not (self.here and self.courtesy.crowding):
            return await self.inner.embed(texts)
        made: list[Vector] = []
        for piece in pieces(texts):
            async with self.courtesy.step():
                made += await self.inner.embed(piece)
        return made


def pieces(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """None of a single text, which would pass for somebody's question, unless there is but one."""
    ends = [*range(TEXTS, len(texts) - 1, TEXTS), len(texts)] if texts else []
    for start, end in pairwise([0, *ends]):
        yield texts[start:end]
