"""Work that goes on beside what somebody else does."""

import asyncio
import logging
import os
import sys
from asyncio import AbstractEventLoop, Future
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from threading import get_native_id
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Answers = Sequence[Callable[[], None]]
"""What to do on the event loop of each who waits, in their order."""
log = logging.getLogger(__name__)

LAST = 10
"""The niceness of what nobody waits for: a tenth of the processor where others want it too."""


@asynccontextmanager
async def beside(
    work: Coroutine[Any, Any, None], *, stop: Callable[[], None] | None = None
) -> AsyncGenerator[None]:
    """Run `work` until the body ends, or to its own end; with `stop` it ends by itself then.

    Not a `TaskGroup`: that would hand the body's error to the caller wrapped in a group, and end
    the body when the work fails. Such a failure is logged, and raised when the body has ended.
    """
    task = asyncio.get_running_loop().create_task(work)
    task.add_done_callback(log_failure)
    try:
        yield
    finally:
        (stop or task.cancel)()
        await asyncio.wait([task])
    if not task.cancelled():
        task.result()


def log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("background work ended", exc_info=error)


class Aside:
    """Work that outlives whoever asked for it; `settled` waits until all of it is through."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(log_failure)
        return task

    async def settled(self) -> None:
        while self._tasks:
            await asyncio.wait(self._tasks)


@dataclass(frozen=True, slots=True)
class Awaited(Generic[T]):
    """Who waits on an event loop for what a thread does; another thread tells by `tell`."""

    loop: AbstractEventLoop
    future: Future[T]

    @property
    def left(self) -> bool:
        """Whether nobody waits any more."""
        return self.future.done()

    def answer(self, result: T) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


def tell(waiting: Sequence[Awaited[Any]], answers: Answers) -> None:
    """Wake each event loop once for all of its answers: waking costs more than answering."""
    for loop in {one.loop for one in waiting}:
        theirs = [answer for one, answer in zip(waiting, answers, strict=True) if one.loop is loop]
        with suppress(RuntimeError):  # it is closed: nobody waits there any more
            loop.call_soon_threadsafe(run_all, theirs)


def run_all(answers: Answers) -> None:
    for answer in answers:
        answer()


def behind_others() -> None:
    """Let this thread have the processor last. Only Linux has priorities of single threads.

    Not the very last: one that holds the interpreter and is never let run would stop all others.
    It stays where it is if it stands further back already, or may not be moved.
    """
    if sys.platform == "linux":
        thread = get_native_id()
        with suppress(OSError):
            niceness = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, max(LAST, niceness))
