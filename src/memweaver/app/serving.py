"""How connections are served: not for ever to those that dawdle, and to an orderly end."""

import asyncio
import logging
import signal
from asyncio import TimerHandle, Transport
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from memweaver.app.house_sections import ServerSettings

log = logging.getLogger(__name__)

SIGNALS = (signal.SIGTERM, signal.SIGINT)
GRACE = 10
"""Seconds that requests under way have to finish when the server is told to stop."""
HEADERS = 32_768
"""Bytes of the headers of one request."""


class PromptConnection(H11Protocol):
    """Closes a connection over which the headers of a request do not come in time."""

    patience: float
    _waiting: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override] # as the base does
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._come()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        # From here on the time between two requests counts, until the next one begins.
        self._come()

    def connection_lost(self, exc: Exception | None) -> None:
        self._come()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(self.patience, self._give_up)

    def _come(self) -> None:
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        self.transport.close()


class Server(uvicorn.Server):
    """Told to stop, says so to `leaving` first, and stops `drain` seconds later.

    Told again, it stops now; and while it waits for answers under way, it cuts them off and ends
    in order nevertheless: of a chat, what was said so far is kept. Then once more, and it is gone.
    """

    def __init__(self, config: uvicorn.Config, leaving: Callable[[], None], drain: float) -> None:
        super().__init__(config)
        self._leaving = leaving
        self._drain = drain
        self._told = False

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """By the loop, between two of its steps. Told once more when it has ended, all ends."""
        for number in SIGNALS:
            asyncio.get_running_loop().add_signal_handler(number, self.handle_exit, number, None)
        yield
        stop_listening()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._leaving()
        if self.should_exit:
            self._cut_off()
        elif self._told or not self._drain or sig == signal.SIGINT:
            super().handle_exit(sig, frame)
        else:
            self._told = True
            asyncio.get_running_loop().call_later(self._drain, super().handle_exit, sig, frame)

    def _cut_off(self) -> None:
        stop_listening()
        log.warning("told once more to stop; answers cut off: %d", len(self.server_state.tasks))
        for task in self.server_state.tasks:
            task.cancel()


def stop_listening() -> None:
    """From here on a signal ends the program at once."""
    for number in SIGNALS:
        asyncio.get_running_loop().remove_signal_handler(number)
        signal.signal(number, signal.SIG_DFL)


def config_of(application: ASGIApp, server: ServerSettings) -> uvicorn.Config:
    connection = type("Connection", (PromptConnection,), {"patience": server.patience})
    return uvicorn.Config(
        application,
        http=cast("type[asyncio.Protocol]", connection),
        log_config=None,
        access_log=False,
        server_header=False,
        # Whose address a request comes from is believed of the named proxies only.
        proxy_headers=bool(server.proxies),
        forwarded_allow_ips=list(server.proxies),
        h11_max_incomplete_event_size=HEADERS,
        # JSON may need two bytes for one; and who sends a little too much is told so.
        ws_max_size=2 * server.message,
        timeout_graceful_shutdown=GRACE,
    )
