"""How a private RabbitMQ and a private Redis are started: on loopback, in folders of theirs."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

PLACES = (
    "usr/lib/rabbitmq/bin",
    "usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin",
    "opt/rabbitmq/sbin",
    "usr/local/opt/rabbitmq/sbin",
    "opt/homebrew/opt/rabbitmq/sbin",
    "usr/lib/erlang/erts-*/bin",
    "usr/local/lib/erlang/erts-*/bin",
    "opt/homebrew/opt/erlang/lib/erlang/erts-*/bin",
)
"""Where the programs usually are. Looked at before PATH, whose ones may insist on a user."""


class Program(Protocol):
    """What it takes to have one server; it is told which port and folder it is to have."""

    def commands(self, folder: Path, port: int) -> Iterator[list[str]]:
        """The programs to start, the server last; none of them goes into the background."""
        ...

    def environment(self, folder: Path, port: int) -> Mapping[str, str]: ...

    hello: bytes
    """What the server answers once it is ready."""


def installed(name: str) -> str | None:
    """Where a program is, if it is anywhere."""
    usual = (place for pattern in PLACES for place in sorted(Path("/").glob(pattern)))
    return shutil.which(name, path=os.pathsep.join([*map(str, usual), os.environ["PATH"]]))


def needed(name: str) -> str:
    found = installed(name)
    if found is None:
        raise FileNotFoundError(f"{name} is not installed")
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@dataclass(frozen=True)
class RedisProgram(Program):
    hello = b"PING\r\n"

    def commands(self, folder: Path, port: int) -> Iterator[list[str]]:
        where = ["--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
        yield [needed("redis-server"), *where, "--save", "", "--appendonly", "no"]

    def environment(self, folder: Path, port: int) -> Mapping[str, str]:
        return {}


@dataclass(frozen=True)
class RabbitMQProgram(Program):
    """With an epmd of its own, which Erlang would otherwise start and leave behind."""

    hello = b"AMQP\x00\x00\x09\x01"
    distribution: int = field(default_factory=free_port)
    names: int = field(default_factory=free_port)

    def commands(self, folder: Path, port: int) -> Iterator[list[str]]:
        yield [needed("epmd"), "-port", str(self.names), "-address", "127.0.0.1"]
        yield [needed("rabbitmq-server")]

    def environment(self, folder: Path, port: int) -> Mapping[str, str]:
        (folder / "plugins").write_text("[].")
        (folder / "rabbitmq.conf").write_text(f"listeners.tcp.1 = 127.0.0.1:{port}\n")
        return {
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "ERL_EPMD_PORT": str(self.names),
            "RABBITMQ_ADVANCED_CONFIG_FILE": str(folder / "advanced"),
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq"),
            "RABBITMQ_CONF_ENV_FILE": str(folder / "none"),
            "RABBITMQ_DIST_PORT": str(self.distribution),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
            "RABBITMQ_FEATURE_FLAGS_FILE": str(folder / "features"),
            "RABBITMQ_GENERATED_CONFIG_DIR": str(folder / "generated"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_LOGS": str(folder / "log" / "rabbitmq.log"),
            "RABBITMQ_MNESIA_BASE": str(folder / "data"),
            "RABBITMQ_NODENAME": f"memweaver{port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(port),
            "RABBITMQ_PID_FILE": str(folder / "pid"),
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": ("-kernel inet_dist_use_interface {127,0,0,1}"),
            "RUNNING_UNDER_SYSTEMD": "true",  # no shell in between: the pid is the server's
        }


PROGRAMS: Mapping[str, type[RedisProgram | RabbitMQProgram]] = {
    "rabbitmq": RabbitMQProgram,
    "redis": RedisProgram,
}


def begun(
    command: list[str], folder: Path, environment: Mapping[str, str]
) -> subprocess.Popen[bytes]:
    with (folder / "output").open("ab") as output:
        return subprocess.Popen(
            command,
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": str(folder), **environment},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
