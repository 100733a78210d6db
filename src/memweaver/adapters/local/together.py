"""Lets callers who ask at the same time share one computation."""

from asyncio import wrap_future
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from memweaver.domain.memory import Vector

Run = Callable[[Sequence[str]], Sequence[Vector]]


class Together:
    """A thread that takes along all who wait, up to `most` of them, and then those who came since.

    It never waits for the event loop, which has others to serve first. A computation that fails
    fails for whoever waited longest; the others are computed without it.
    """

    def __init__(self, run: Run, most: int, thread: str) -> None:
        self._run = run
        self._most = most
        self._thread = ThreadPoolExecutor(1, thread)
        self._waiting: deque[tuple[str, Future[Vector]]] = deque()

    async def __call__(self, text: str) -> Vector:
        mine: Future[Vector] = Future()
        self._waiting.append((text, mine))
        self._thread.submit(self._serve)
        return await wrap_future(mine)

    def close(self) -> None:
        """End the thread, once nobody waits."""
        self._thread.shutdown()

    def _serve(self) -> None:
        """Once for each who came: whoever was taken along before is not here any more."""
        served = self._next()
        while served:
            try:
                made = self._run([text for text, _ in served])
            except Exception as error:  # noqa: BLE001 - it is told to whoever asked
                served.pop(0)[1].set_exception(error)
                continue
            for (_, asked), vector in zip(served, made, strict=True):
                asked.set_result(vector)
            return

    def _next(self) -> list[tuple[str, Future[Vector]]]:
        """Those who wait and have not left."""
        served: list[tuple[str, Future[Vector]]] = []
        while self._waiting and len(served) < self._most:
            text, asked = self._waiting.popleft()
            if asked.set_running_or_notify_cancel():
                served.append((text, asked))
        return served
