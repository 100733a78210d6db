"""The connections beneath sockets: what waits on one is limited, and none is waited for."""

import asyncio
from collections.abc import Container, Iterator
from typing import Any

import socketio

CALM = 1_000
"""Packets that may wait on a line before it is told no more events for a while."""
MOST = 4 * CALM
"""Packets that may wait on a line at all."""
LARGEST = 4_194_304
"""Characters that may wait on a line."""


class Outbox(asyncio.Queue[Any]):
    """What waits to be read at the other end of one line.

    The first packet that does not fit is lost, and so is all that comes after it: whoever reads
    so slowly is sent away, and hears the rest by its cursor when it comes back.
    """

    def __init__(self) -> None:
        super().__init__()
        self.since = asyncio.get_running_loop().time()
        self.size = 0
        self.overrun = False

    @property
    def calm(self) -> bool:
        return not self.overrun and self.qsize() < CALM and self.size < LARGEST // 2

    async def put(self, item: Any) -> None:
        self.overrun |= self.qsize() >= MOST or self.size + length(item) > LARGEST
        if item is None or not self.overrun:
            await super().put(item)

    def abandon(self) -> None:
        """Nobody will read what waits here."""
        while not self.empty():
            self.get_nowait()
            self.task_done()

    def _put(self, item: Any) -> None:
        self.size += length(item)
        super()._put(item)

    def _get(self) -> Any:
        item = super()._get()
        self.size -= length(item)
        return item


class Lines:
    """Every connection has an `Outbox`, and is there before and after its socket."""

    def __init__(self, io: socketio.AsyncServer) -> None:
        self._io = io
        io.eio.create_queue = Outbox

    def of(self, sid: str) -> str:
        """The line of a socket."""
        return str(self._io.manager.eio_sid_from_sid(sid, "/"))

    def calm(self, line: str) -> bool:
        """Whether it is read about as fast as it is written to."""
        found = self._io.eio.sockets.get(line)
        return found is not None and found.queue.calm

    def overrun(self, line: str) -> bool:
        found = self._io.eio.sockets.get(line)
        return found is not None and found.queue.overrun

    def strange(self, known: Container[str], patience: float) -> Iterator[str]:
        """Lines that have been there for a while without anybody whom we know."""
        now = asyncio.get_running_loop().time()
        for line, found in list(self._io.eio.sockets.items()):
            if line not in known and now - found.queue.since >= patience:
                yield line

    async def end(self, line: str) -> None:
        """End it, after what waits on it; nobody waits until that has been read."""
        found = self._io.eio.sockets.get(line)
        if found is None:
            return
        if found.queue.overrun:
            found.queue.abandon()
        await found.close(wait=False, reason=self._io.eio.reason.SERVER_DISCONNECT)
        await found.queue.put(None)


def length(item: Any) -> int:
    """None ends a line."""
    return len(item.data) if item is not None and isinstance(item.data, str | bytes) else 0
