"""Keeps tests off the network: a test may talk to this machine, and to nobody else."""

import socket
import sys
from collections.abc import Generator
from ipaddress import ip_address

import pytest

OPENING = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
LOOKING_UP = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})


class Watch:
    """Refuses what reaches out, and remembers it: code that swallows the refusal is caught too."""

    def __init__(self) -> None:
        self.watching = False
        self.reached: list[str] = []

    def __call__(self, event: str, details: tuple[object, ...]) -> None:
        if self.watching and event in OPENING | LOOKING_UP and not stays_here(event, details):
            self.reached.append(f"{event} {details[1] if event in OPENING else details[0]}")
            raise ConnectionRefusedError("tests do not reach the network")


def stays_here(event: str, details: tuple[object, ...]) -> bool:
    if event in LOOKING_UP:
        return is_this_machine(details[0])
    match details:
        case (socket.socket(family=socket.AF_INET | socket.AF_INET6), (host, *_)):
            return is_this_machine(host)
        case _:
            return True


def is_this_machine(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    try:
        return name in {None, "", "localhost"} or is_loopback(str(name))
    except ValueError:
        return False


def is_loopback(address: str) -> bool:
    """Looking up an address that listens everywhere is how servers begin to listen."""
    number = ip_address(address)
    return number.is_loopback or number.is_unspecified


watch = Watch()
sys.addaudithook(watch)


@pytest.fixture(autouse=True)
def no_network() -> Generator[None]:
    """Fail a test that tried to reach another machine, whatever its code made of the refusal."""
    watch.reached.clear()
    watch.watching = True
    yield
    watch.watching = False
    assert not watch.reached, f"a test reached for the network: {watch.reached}"
