"""`memweaver serve` in a process of its own, as anybody starts it."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil

from benchmarks import BEFORE

GLANCE = 0.1
"""Seconds between two looks whether everything is done."""
PATIENCE = 300.0


@dataclass(frozen=True, slots=True)
class Served:
    port: int
    pid: int

    @property
    def resident(self) -> float:
        """The memory it holds, in megabytes."""
        return float(psutil.Process(self.pid).memory_info().rss) / 1e6

    async def at_rest(self) -> None:
        """Return once nothing waits to be embedded or reflected upon."""
        async with (
            asyncio.timeout(PATIENCE),
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}") as client,
        ):
            while busy((await client.get("/health")).raise_for_status().json()["parts"]):  # noqa: ASYNC110 - a server tells nobody when it is done
                await asyncio.sleep(GLANCE)


def busy(parts: Mapping[str, Mapping[str, Any]]) -> bool:
    queue = parts["queue"]
    return bool(queue["waiting"] or queue["running"] or parts["embedding"]["embedded"] < 1)


@contextmanager
def served(folder: Path, **settings: str) -> Generator[Served]:
    """A server of what is in `folder`; `settings` are named without their first word."""
    command = [str(Path(sys.executable).with_name("memweaver")), "serve", "--port", "0", "--json"]
    named = {f"MEMWEAVER_{name}": value for name, value in settings.items()}
    with (
        (folder / "server.log").open("ab") as log,
        subprocess.Popen(
            command,
            env={**BEFORE, "MEMWEAVER_DATA": str(folder), **named},
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None  # noqa: S101 - asked for above
        try:
            told = json.loads(process.stdout.readline())
            yield Served(int(told["url"].rsplit(":", 1)[1]), process.pid)
        finally:
            process.terminate()
