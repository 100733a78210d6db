"""Keeps a private server for as long as whoever started this holds its other end.

Run as a program, with the server's name and the folder to work in. Each line of its input asks to
start the server or to kill it, and is answered with a line when that is done. When the input is
closed, which happens however its parent ends, it leaves nothing behind.
"""

import shutil
import socket
import subprocess
import sys
from pathlib import Path
from threading import Event

from tests.servers.programs import PROGRAMS, Program, begun, free_port

TRIES = 1200
"""A tenth of a second each, for a server to become ready."""


class Keeper:
    def __init__(self, program: Program, folder: Path) -> None:
        self._program = program
        self._folder = folder
        self._running: list[subprocess.Popen[bytes]] = []
        self.port = free_port()

    def start(self) -> None:
        environment = self._program.environment(self._folder, self.port)
        for command in self._program.commands(self._folder, self.port):
            self._running.append(begun(command, self._folder, environment))
        for _ in range(TRIES):
            if self._answers():
                return
            if (code := self._running[-1].poll()) is not None:
                raise RuntimeError(f"the server ended with {code}: {self.said()}")
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

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as there:
                there.sendall(self._program.hello)
                return bool(there.recv(1))
        except OSError:
            return False


def keep(program: Program, folder: Path) -> None:
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
    keep(PROGRAMS[sys.argv[1]](), Path(sys.argv[2]))
