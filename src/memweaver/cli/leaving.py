"""To be told to stop: no failure, whenever it comes, and nothing is left half done."""

import asyncio
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def leaving_when_told() -> Generator[None]:
    """Whoever is told to stop leaves at once; only where nothing is open that must be closed."""

    def leave(*_: object) -> None:
        raise SystemExit(0)

    before = {number: signal.signal(number, leave) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class EndingWhenTold:
    """Told to stop, its body has `grace` seconds, and then ends where it next waits.

    To raise wherever the program happens to be would leave locks locked, that of logging for one,
    and whoever then closes what is open would wait for ever. Told twice, the program is gone at
    once.
    """

    def __init__(self, told: Callable[[], None] = lambda: None, grace: float = 0.0) -> None:
        self._told = told
        self._grace = grace
        self._limit = asyncio.timeout(None)
        self._before = {number: signal.getsignal(number) for number in SIGNALS}
        self._ending = self._undivided = False

    @property
    def ended(self) -> bool:
        """Whether the body was ended before it had come to its end."""
        return self._limit.expired()

    async def __aenter__(self) -> Self:
        await self._limit.__aenter__()
        self._listen()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self._stop_listening()
        for number, handler in self._before.items():
            signal.signal(number, handler)
        try:
            await self._limit.__aexit__(kind, error, trace)
        except TimeoutError:
            return True
        return False

    @contextmanager
    def undivided(self) -> Generator[None]:
        """What is done here is done whole: told to stop meanwhile, the body ends after it.

        So it does if it was told just before and has not ended yet.
        """
        self._undivided = True
        self._limit.reschedule(None)
        try:
            yield
        finally:
            self._undivided = False
            if self._ending:
                self._end_soon()

    @contextmanager
    def asking(self) -> Generator[None]:
        """While a person is asked something nothing is under way: told to stop, it leaves."""
        self._stop_listening()
        with leaving_when_told():
            yield
        self._listen()

    def _listen(self) -> None:
        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self._end)

    def _stop_listening(self) -> None:
        for number in SIGNALS:
            asyncio.get_running_loop().remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL)

    def _end(self) -> None:
        # First of all: a second signal must find nobody here who would swallow it.
        self._stop_listening()
        self._ending = True
        if not self._undivided:
            self._end_soon()
        self._told()

    def _end_soon(self) -> None:
        self._limit.reschedule(asyncio.get_running_loop().time() + self._grace)
