"""The private server leaves nothing behind; where there is none, a laptop is told so, CI fails."""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from tests.servers import keeper
from tests.servers.postgres import Postgres, private_postgres

ROOT = Path(__file__).parents[2]

HOLD_A_SERVER = """
from tests.servers.postgres import private_postgres
with private_postgres() as server:
    print(server.port, server.folder, flush=True)
    input()
"""


@pytest.mark.postgres
def test_the_server_is_private(postgres: Postgres) -> None:
    with psycopg.connect(postgres.url("postgres")) as connection:
        listening = connection.execute("SHOW listen_addresses").fetchone()
        assert listening == ("127.0.0.1",)
    assert postgres.folder.stat().st_mode & 0o077 == 0


@pytest.mark.postgres
def test_a_server_ends_with_whoever_started_it_however_that_ends() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_A_SERVER],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        port, folder = process.stdout.readline().split()
        assert Path(folder).exists()
        process.kill()
        process.stderr.read()  # is held by the keeper, too, until it is done
    assert not Path(folder).exists()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(f"postgresql://postgres@127.0.0.1:{port}/postgres")


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeper, "installed_programs", lambda: None)


@pytest.mark.usefixtures("nothing_installed")
def test_on_a_laptop_its_absence_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="NOT TESTED ON POSTGRES"):
        enter()


@pytest.mark.usefixtures("nothing_installed")
def test_where_all_must_be_proven_its_absence_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="must be tested here"):
        enter()


def enter() -> None:
    with private_postgres():
        pass
