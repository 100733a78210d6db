"""Lets callers who ask at the same time share one computation."""

from asyncio import wrap_future
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from memweaver.domain.memory import Vector

Run = Callable[[Sequence[str]], Sequence[Vector]]
Asked = tuple[str, Future[Vector]]


class Together:
    """A thread that takes along all who wait, up to `most` of them, and then those who came since.

    It never waits for the event loop, which has others to serve first. After a computation that
    fails each is computed alone, so that nobody bears the failure of another.
    """

    def __init__(self, run: Run, most: int, thread: str) -> None:
        self._run = run
        self._most = most
        self._thread = ThreadPoolExecutor(1, thread)
        self._waiting: deque[Asked] = deque()

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
        if served := self._next():
            self._answer(served)

    def _answer(self, served: Sequence[Asked]) -> None:
        try:
            made = self._run([text for text, _ in served])
            answers = list(zip(served, made, strict=True))
        except Exception as error:  # noqa: BLE001 - it is told to whoever asked
            if len(served) == 1:
                served[0][1].set_exception(error)
            else:
                for one in served:
                    self._answer([one])
            return
        for (_, asked), vector in answers:
            asked.set_result(vector)

    def _next(self) -> Sequence[Asked]:
        """Those who wait and have not left."""
        served: list[Asked] = []
        while self._waiting and len(served) < self._most:
            text, asked = self._waiting.popleft()
            if asked.set_running_or_notify_cancel():
                served.append((text, asked))
        return served
