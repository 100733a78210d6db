"""Lets callers who ask at the same time share one computation."""

from asyncio import Future, Lock, get_running_loop
from collections.abc import Awaitable, Callable, Sequence

from memweaver.domain.memory import Vector

Run = Callable[[Sequence[str]], Awaitable[Sequence[Vector]]]


class Together:
    """Whoever's turn it is takes along all who wait, up to `most` of them.

    A computation that fails or is given up fails for the one whose turn it was; the others'
    turns come after it.
    """

    def __init__(self, run: Run, most: int) -> None:
        self._run = run
        self._most = most
        self._turn = Lock()
        self._waiting: list[tuple[str, Future[Vector]]] = []

    async def __call__(self, text: str) -> Vector:
        mine: Future[Vector] = get_running_loop().create_future()
        self._waiting.append((text, mine))
        try:
            async with self._turn:
                if not mine.done():
                    await self._serve()
            return mine.result()
        finally:
            mine.cancel()

    async def _serve(self) -> None:
        waiting = [(text, asked) for text, asked in self._waiting if not asked.done()]
        served, self._waiting = waiting[: self._most], waiting[self._most :]
        try:
            made = await self._run([text for text, _ in served])
        except BaseException:
            self._waiting = served + self._waiting
            raise
        for (_, asked), vector in zip(served, made, strict=True):
            if not asked.done():
                asked.set_result(vector)
