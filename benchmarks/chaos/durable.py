"""A private Postgres that is as durable as a real one, to be killed and started again.

Run as a program with the folder to work in, it keeps the server as `tests/servers/keeping.py`
does for others: it starts or kills it for each line it reads, and ends it when there are no more.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from threading import Event

import psycopg
from tests.servers import keeper
from tests.servers.private import ROOT, Private

TRIES = 600
"""A tenth of a second each, for the server to come up."""


class Durable:
    def __init__(self, folder: Path, installed: Path) -> None:
        self._folder = folder
        self._programs = keeper.runnable(installed, folder)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = keeper.free_port()
        users = ("--username=postgres", "--auth=trust")
        text = ("--encoding=UTF8", "--locale=C.UTF-8", "--data-checksums")
        data = f"--pgdata={folder / 'data'}"
        keeper.run(folder, self._programs / "initdb", data, *users, *text)

    def start(self) -> None:
        """Orphans of a killed server keep its memory for a moment: until then it ends at once."""
        for _ in range(TRIES):
            if self._process is None or self._process.poll() is not None:
                self._process = self._begun()
            if self._answers():
                return
            Event().wait(0.1)
        raise RuntimeError("Postgres does not come up again")

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _begun(self) -> subprocess.Popen[bytes]:
        where = ["-p", str(self.port), "-h", "127.0.0.1", "-k", str(self._folder)]
        root = os.geteuid() == 0
        return subprocess.Popen(
            [self._programs / "postgres", "-D", self._folder / "data", *where],
            cwd=self._folder,
            env={"PATH": os.environ["PATH"], "HOME": str(self._folder), "LC_ALL": "C.UTF-8"},
            user=keeper.NOBODY if root else None,
            group=keeper.NOBODY if root else None,
            extra_groups=[] if root else None,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def _answers(self) -> bool:
        url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        try:
            psycopg.connect(url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def durable_postgres(installed: Path) -> Generator[Private]:
    folder = Path(mkdtemp(prefix="memweaver-durable-"))
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.chaos.durable", folder, installed],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        server = Private(folder, process)
        server.start()
        yield server


def keep(folder: Path, installed: Path) -> None:
    try:
        server = Durable(folder, installed)
        try:
            for line in sys.stdin:
                server.start() if line.strip() == "start" else server.kill()
                keeper.say(str(server.port))
        finally:
            server.kill()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    keep(Path(sys.argv[1]), Path(sys.argv[2]))
