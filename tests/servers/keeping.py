"""Keeps a private server for as long as whoever started this holds its other end.

Run as a program, with the server's name and the folder to work in. Each line of its input asks to
start the server or to kill it, and is answered with a line when that is done. When the input is
closed, which happens however its parent ends, it leaves nothing behind.
"""

import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

from tests.servers.programs import PROGRAMS, Program, begun, free_port

STARTS = 3
"""So often a start is tried: a port may be taken between being chosen and being used."""
TRIES = 1200
"""A tenth of a second each, for a server to become ready."""


class Ended(Exception):
    """The server ended before it was ready."""


class Keeper:
    """Its `program` chooses ports of its own, too, each time one is made."""

    def __init__(self, program: Callable[[], Program], folder: Path) -> None:
        self._make = program
        self._folder = folder
        self._running: list[subprocess.Popen[bytes]] = []
        self._program: Program | None = None
        self.port = 0

    def start(self) -> None:
        """The first time wherever it can be, from then on at the same port."""
        known = self._program
        for left in reversed(range(STARTS)):
            program = known or self._make()
            self.port = self.port if known else free_port()
            try:
                self._start(program)
            except Ended:
                self.kill()
                if not left:
                    raise
                Event().wait(1)
            else:
                self._program = program
                return

    def _start(self, program: Program) -> None:
        environment = program.environment(self._folder, self.port)
        for command in program.commands(self._folder, self.port):
            self._running.append(begun(command, self._folder, environment))
        for _ in range(TRIES):
            ready = self._answers(program.hello)  # somebody else, perhaps, who has the port
            if (code := self._running[-1].poll()) is not None:
                raise Ended(f"the server ended with {code}: {self.said()}")
            if ready:
                return
            Event().wait(0.1)
        raise RuntimeError(f"the server does not become ready: {self.said()}")

    def kill(self) -> None:
        """End it as a crash would: nothing is written, nobody is told."""
        while self._running:
            process = self._running.pop()
            process.kill()
            process.wait()

    def said(self) -> str:
        return (self._folder / "output").read_text(errors="replace")[-2000:]

    def _answers(self, hello: bytes) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as there:
                there.sendall(hello)
                return bool(there.recv(1))
        except OSError:
            return False


def keep(program: Callable[[], Program], folder: Path) -> None:
    keeper = Keeper(program, folder)
    try:
        for line in sys.stdin:
            if line.strip() == "start":
                keeper.start()
            else:
                keeper.kill()
            sys.stdout.write(f"{keeper.port}\n")
            sys.stdout.flush()
    finally:
        keeper.kill()
        shutil.rmtree(folder)


if __name__ == "__main__":
    keep(PROGRAMS[sys.argv[1]], Path(sys.argv[2]))
