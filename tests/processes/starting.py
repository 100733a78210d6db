"""Starts another process on a database, and talks with it."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL

OTHER = Path(__file__).with_name("other.py")


@dataclass(frozen=True)
class OtherProcess:
    process: Process

    async def ask(self, deed: str, *arguments: object) -> object:
        """Have it do something; answer what it says."""
        await self.tell(deed, *arguments)
        return json.loads(await self.line())

    async def tell(self, deed: str, *arguments: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([deed, *arguments]).encode() + b"\n")
        await self.process.stdin.drain()

    async def line(self) -> str:
        assert self.process.stdout is not None
        line = (await self.process.stdout.readline()).decode().strip()
        assert line, "the other process has ended"
        return line

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def other_process(url: URL, folder: Path) -> AsyncGenerator[OtherProcess]:
    """A process with `url` open and its master key in `folder`; ended in the end."""
    address = url.render_as_string(hide_password=False)
    process = await asyncio.create_subprocess_exec(
        sys.executable, OTHER, address, folder, stdin=PIPE, stdout=PIPE
    )
    other = OtherProcess(process)
    try:
        assert await other.line() == "ready"
        yield other
    finally:
        if process.returncode is None:
            await other.kill()
