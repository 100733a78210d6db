"""`memweaver serve` in a process of its own, as anybody starts it."""

import json
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from benchmarks import BEFORE


@dataclass(frozen=True, slots=True)
class Served:
    port: int
    pid: int

    @property
    def resident(self) -> float:
        """The memory it holds, in megabytes."""
        return float(psutil.Process(self.pid).memory_info().rss) / 1e6


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
