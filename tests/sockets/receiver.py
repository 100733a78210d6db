"""A receiver of webhooks on this machine, which answers as it is told."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

HANG = 0
"""Instead of a status: never answer."""


@dataclass
class Receiver:
    port: int = 0
    sets: str = ""
    """A cookie for who comes here."""
    elsewhere: str = "http://127.0.0.1:1/"
    """Where redirects lead."""
    answers: list[int] = field(default_factory=list[int])
    """What to answer first; then 200."""
    got: "asyncio.Queue[tuple[dict[str, str], bytes]]" = field(default_factory=asyncio.Queue)
    connected: int = 0
    hung: asyncio.Event = field(default_factory=asyncio.Event)
    """Somebody waits for an answer that does not come."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/told?by=us"

    async def next(self) -> tuple[dict[str, str], bytes]:
        async with asyncio.timeout(30):
            return await self.got.get()

    async def events(self, count: int) -> list[dict[str, Any]]:
        return [json.loads((await self.next())[1]) for _ in range(count)]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connected += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            lines = [line.partition(": ") for line in head.split("\r\n")[1:] if line]
            headers = {name.lower(): value for name, _, value in lines}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            status = self.answers.pop(0) if self.answers else 200
            if status == HANG:
                self.hung.set()
                await reader.read()
                return
            if status == 200:
                self.got.put_nowait((headers, body))
            more = f"Location: {self.elsewhere}\r\n" if status in range(300, 400) else ""
            more += f"Set-Cookie: {self.sets}\r\n" if self.sets else ""
            answer = f"HTTP/1.1 {status} X\r\n{more}Content-Length: 0\r\nConnection: close\r\n\r\n"
            writer.write(answer.encode())
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()


@asynccontextmanager
async def a_receiver(*answers: int, host: str = "127.0.0.1") -> AsyncGenerator[Receiver]:
    receiver = Receiver(answers=list(answers))
    server = await asyncio.start_server(receiver.serve, host, 0)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
