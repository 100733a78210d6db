"""A client that costs next to nothing, so that what is measured is the server."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

LENGTH = b"content-length:"
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True)
class Wire:
    """Connections kept open to one server of this machine; who finds none free waits for one."""

    free: asyncio.Queue[Streams]

    async def post(self, path: str, headers: Mapping[str, str], body: object) -> None:
        """Raises `ConnectionError` if the answer is anything but a success."""
        streams = await self.free.get()
        reader, writer = streams
        writer.write(request(path, headers, json.dumps(body).encode()))
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(length_of(head))
        if head.split(b" ", 2)[1][:1] != b"2":
            raise ConnectionError(f"refused: {head.splitlines()[0].decode()}")
        self.free.put_nowait(streams)


@asynccontextmanager
async def wired(port: int, connections: int) -> AsyncGenerator[Wire]:
    wire = Wire(asyncio.Queue())
    for _ in range(connections):
        wire.free.put_nowait(await asyncio.open_connection("127.0.0.1", port))
    try:
        yield wire
    finally:
        while not wire.free.empty():
            _, writer = wire.free.get_nowait()
            writer.close()
            await writer.wait_closed()


def request(path: str, headers: Mapping[str, str], body: bytes, method: str = "POST") -> bytes:
    lines = {"Host": "127.0.0.1", "Content-Type": "application/json", **headers}
    told = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{method} {path} HTTP/1.1\r\n{told}Content-Length: {len(body)}\r\n\r\n".encode() + body


def length_of(head: bytes) -> int:
    for line in head.lower().splitlines():
        if line.startswith(LENGTH):
            return int(line.removeprefix(LENGTH))
    raise ConnectionError("the server answered without a length")
