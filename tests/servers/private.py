"""Private servers: their own folders, their own free ports, gone when the tests are."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import NoReturn

import pytest
from tests.servers.programs import installed

ROOT = Path(__file__).parents[2]


@dataclass(eq=False)
class Private:
    """A server that can be killed, and started again at the same port with what it has on disk."""

    folder: Path
    keeper: subprocess.Popen[str]
    port: int = 0

    def start(self) -> None:
        self._ask("start")

    def kill(self) -> None:
        """As `kill -9` does."""
        self._ask("kill")

    def _ask(self, what: str) -> None:
        assert self.keeper.stdin is not None
        assert self.keeper.stdout is not None
        self.keeper.stdin.write(f"{what}\n")
        self.keeper.stdin.flush()
        answer = self.keeper.stdout.readline()
        assert answer, "the server's keeper gave up: what it said is above"
        self.port = int(answer)


@contextmanager
def private(name: str, *programs: str) -> Generator[Private]:
    """The server `name`, running; it needs all of `programs` installed."""
    for program in programs:
        if installed(program) is None:
            absent(name, f"{program} is not installed")
    folder = Path(mkdtemp(prefix=f"memweaver-{name}-"))
    with subprocess.Popen(
        [sys.executable, "-m", "tests.servers.keeping", name, folder],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as keeper:
        server = Private(folder, keeper)
        server.start()
        yield server


def absent(name: str, reason: str) -> NoReturn:
    """Skip loudly where somebody works, fail where the whole must be proven."""
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(f"{name} must be tested here, but {reason}")
    pytest.skip(f"NOT TESTED ON {name.upper()}: {reason}")
