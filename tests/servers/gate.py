"""A gate on the way to a server: shut, the server is gone for whoever came through it."""

import asyncio
from contextlib import suppress


class Gate:
    """Forwards from a port of its own, which stays the same, to that of a server."""

    def __init__(self, beyond: int) -> None:
        self._beyond = beyond
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self.port = 0

    async def open(self) -> None:
        if self._server is None:
            self._server = await asyncio.start_server(self._pass, "127.0.0.1", self.port)
            self.port = self._server.sockets[0].getsockname()[1]

    async def shut(self) -> None:
        """Break what goes through, and refuse what comes."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in self._open:
            writer.transport.abort()
        while self._open:  # noqa: ASYNC110 - ends when the last connection has noticed
            await asyncio.sleep(0.01)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, beyond = await asyncio.open_connection("127.0.0.1", self._beyond)
        both = {writer, beyond}
        self._open |= both
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(forward(reader, beyond))
                tasks.create_task(forward(there, writer))
        finally:
            self._open -= both


async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):  # either side may leave at any time
        while piece := await reader.read(65536):
            writer.write(piece)
            await writer.drain()
    writer.close()
