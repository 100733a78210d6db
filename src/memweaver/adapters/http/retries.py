"""When a failed request is tried again, and after how long."""

import random
from asyncio import sleep
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from memweaver.errors import MemweaverError

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Retries:
    """Tries again what is `retryable`, up to `more` times, after pauses that double.

    Each pause is shortened by chance, so that those who failed together do not return together.
    A server that asks for a longer pause gets it, unless it is longer than `longest`: then waiting
    is left to the caller.
    """

    more: int = 3
    first: float = 0.5
    longest: float = 20.0
    pause: Callable[[float], Awaitable[None]] = sleep

    async def __call__(self, attempt: Callable[[], Awaitable[Result]]) -> Result:
        for seconds in self._pauses():
            try:
                return await attempt()
            except MemweaverError as error:
                asked = getattr(error, "retry_after", None) or 0.0
                if not error.retryable or asked > self.longest:
                    raise
                await self.pause(max(seconds, asked))
        return await attempt()

    def _pauses(self) -> Iterator[float]:
        for time in range(self.more):
            whole = min(self.first * 2**time, self.longest)
            yield whole * random.uniform(0.5, 1)  # noqa: S311 - spreads load, keeps no secret
