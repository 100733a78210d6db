"""`memweaver serve` as anybody starts it: a process of its own."""

import json
import signal
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

COMMAND = [str(Path(sys.executable).with_name("memweaver")), "serve", "--port", "0"]
PATIENCE = 60
"""Seconds after which a process that does not end is held to hang."""


@dataclass
class Serving:
    process: subprocess.Popen[str]
    welcome: dict[str, Any]

    def ask(
        self, method: str, path: str, secret: str | None = None, body: object = None
    ) -> httpx.Response:
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        url = f"{self.welcome['url']}{path}"
        return httpx.request(method, url, headers=headers, json=body, trust_env=False)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


@contextmanager
def serving(folder: Path, *options: str, **settings: str) -> Generator[Serving]:
    """Start a server on a free port; what it says of itself is read from its first line."""
    with started(folder, "--json", *options, **settings) as process:
        assert process.stdout
        yield Serving(process, json.loads(process.stdout.readline()))


@contextmanager
def started(
    folder: Path, *options: str, command: Sequence[str] = COMMAND, **settings: str
) -> Generator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*command, *options],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()
