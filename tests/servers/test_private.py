"""Private servers leave nothing behind; where there is none, a laptop is told so, CI fails."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from ipaddress import ip_address
from pathlib import Path
from threading import Event

import psutil
import pytest
from tests.servers import private
from tests.servers.keeping import Ended, Keeper
from tests.servers.private import ROOT, Private
from tests.servers.programs import RedisProgram
from tests.servers.rabbitmq import private_rabbitmq
from tests.servers.redis import private_redis

HOLD_A_SERVER = """
from tests.servers.redis import private_redis
with private_redis() as server:
    print(server.port, server.folder, flush=True)
    input()
"""

LISTEN = """
import socket, sys
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listener:
    while True:
        there, _ = listener.accept()
        with there:
            there.sendall(there.recv(1))
"""

SERVERS = [
    pytest.param("redis", marks=pytest.mark.redis),
    pytest.param("rabbitmq", marks=pytest.mark.rabbitmq),
]


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest) -> Private:
    found: Private = request.getfixturevalue(request.param)
    return found


def processes(server: Private) -> list[psutil.Process]:
    return list(psutil.Process(server.keeper.pid).children(recursive=True))


def ended(process: psutil.Process) -> bool:
    """Whether it ends soon; a server's own children notice a little after it is gone.

    One that nobody has counted yet has ended, too: that is for whoever inherits orphans.
    """
    for _ in range(300):
        try:
            if process.status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        Event().wait(0.1)
    return False


def reachable(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_nobody_else_can_reach_a_server(server: Private) -> None:
    listening = [
        connection.laddr
        for process in processes(server)
        for connection in process.net_connections(kind="inet")
        if connection.status == psutil.CONN_LISTEN
    ]
    assert server.port in {address.port for address in listening}
    assert [one for one in listening if not ip_address(one.ip).is_loopback] == []
    assert server.folder.stat().st_mode & 0o077 == 0


def test_a_server_that_was_killed_comes_back_where_it_was(server: Private) -> None:
    port, before = server.port, processes(server)
    server.kill()
    try:
        assert not reachable(port)
        assert all(ended(process) for process in before)
    finally:
        server.start()
    assert server.port == port
    assert reachable(port)


class Listening(RedisProgram):
    def commands(self, folder: Path, port: int) -> Iterator[list[str]]:
        yield [sys.executable, "-c", LISTEN, str(port)]


class Unlucky(RedisProgram):
    """Ends at once, as a server does whose port is taken."""

    def commands(self, folder: Path, port: int) -> Iterator[list[str]]:
        yield ["false"]


def test_a_server_whose_port_was_taken_is_started_at_another(tmp_path: Path) -> None:
    programs = iter([Unlucky(), Listening()])
    keeper = Keeper(lambda: next(programs), tmp_path)
    keeper.start()
    try:
        assert reachable(keeper.port)
    finally:
        keeper.kill()


def test_a_server_that_never_starts_is_said_to(tmp_path: Path) -> None:
    with pytest.raises(Ended, match="ended with 1"):
        Keeper(Unlucky, tmp_path).start()


@pytest.mark.redis
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
    assert not reachable(int(port))


@pytest.mark.rabbitmq
def test_all_that_belongs_to_a_server_ends_with_it() -> None:
    with private_rabbitmq() as server:
        every = processes(server)
    assert len(every) >= 2
    assert all(ended(process) for process in every)
    assert not server.folder.exists()


OPENED: list[Callable[[], AbstractContextManager[Private]]] = [private_redis, private_rabbitmq]


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(private, "installed", lambda _name: None)


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("opened", OPENED)
def test_on_a_laptop_its_absence_is_said(
    monkeypatch: pytest.MonkeyPatch, opened: Callable[[], AbstractContextManager[Private]]
) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="NOT TESTED ON R"), opened():
        pass


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("opened", OPENED)
def test_where_all_must_be_proven_its_absence_fails(
    monkeypatch: pytest.MonkeyPatch, opened: Callable[[], AbstractContextManager[Private]]
) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="must be tested here"), opened():
        pass
