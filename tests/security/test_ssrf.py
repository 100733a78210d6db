"""Addresses that users name: none of them leads to where only this machine may reach."""

import asyncio
import socket
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from tests.sockets.receiver import a_receiver

from memweaver.adapters.http import courier, open_courier
from memweaver.adapters.http.addresses import Address
from memweaver.errors import InvalidInput, ReceiverError

PLAIN = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "0",
    "0.0.0.0",
    "00",
    "0x0",
    "127.0.0.1.",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::ffff:10.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:7f00:0001::1]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[100::1]",
    "rebound.example",
    "local.example",
    "mixed.example",
    "mapped.example",
    "nat64.example",
    "metadata.example",
]
CROOKED = [
    "http://user@127.0.0.1:{port}/",
    "http://user:word@127.0.0.1:{port}/",
    "http://example.com@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}@example.com/",
    "http://127.0.0.1:{port}\\@example.com/",
    "http://example.com\\@127.0.0.1:{port}/",
    "http:\\\\127.0.0.1:{port}/",
    "http:/127.0.0.1:{port}/",
    "http:127.0.0.1:{port}/",
    "http:///127.0.0.1:{port}/",
    "//127.0.0.1:{port}/",
    "127.0.0.1:{port}",
    "http://127.0.0.1%00.example.com:{port}/",
    "http://127.0.0.1%2eexample:{port}/",
    "http://[::1%25lo]:{port}/",
    "http://[::1%lo]:{port}/",
    "http://127。0。0。1:{port}/",
    "http://①②⑦.⓪.⓪.①:{port}/",
    "http://loc\xadalhost:{port}/",
    "http://ⓛocalhost:{port}/",
    "http://127.0.0.1:{port}#@example.com/",
    "http://example.com:80#@127.0.0.1:{port}/",
    "http://127.0.0.1:{port}:80/",
    "http://127.0.0.1:+{port}/",
    "http://127.0.0.1:0{port}x/",
    "http://127.0.0.1:99999/",
    "http://127.0.0.1:0/",
    "http://",
    "http://:{port}/",
    "file:///etc/passwd",
    "gopher://127.0.0.1:{port}/",
    "ftp://127.0.0.1:{port}/",
    "unix:///var/run/x.sock",
    "dict://127.0.0.1:{port}/",
    "ldap://127.0.0.1:{port}/",
    "ws://127.0.0.1:{port}/",
    "data:text/plain,x",
    "javascript:x",
    "jar:http://127.0.0.1:{port}/!/",
    "HTTP://127.0.0.1:{port}/",
    "hTTp://127.0.0.1:{port}/",
    "http+unix://127.0.0.1:{port}/",
]
SPACED = ["http://127.0.0.1 :{port}/", "http://127.0.0.1:{port}/\r\nHost: x", "\thttp://127.0.0.1/"]
ON_THE_INTERNET = "93.184.216.34"
NAMES = {
    "localhost": ["127.0.0.1"],
    "local.example": ["127.0.0.1"],
    "mixed.example": [ON_THE_INTERNET, "127.0.0.1"],
    "mapped.example": ["::ffff:127.0.0.1"],
    "nat64.example": ["64:ff9b::7f00:1"],
    "metadata.example": ["169.254.169.254"],
}


class Lookup:
    """Reads numbers as the system does; some names lead here, one only the second time."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, host: str, _: int) -> Sequence[str]:
        self.asked.append(host)
        if host == "rebound.example":
            return [ON_THE_INTERNET] if self.asked.count(host) == 1 else ["127.0.0.1"]
        if host in NAMES:
            return NAMES[host]
        if ":" in host:
            return [socket.inet_ntop(socket.AF_INET6, socket.inet_pton(socket.AF_INET6, host))]
        return [socket.inet_ntoa(socket.inet_aton(host))]


def forms(port: int) -> list[str]:
    plain = [f"{scheme}://{host}:{port}/" for scheme, host in product(("http", "https"), PLAIN)]
    return plain + [form.replace("{port}", str(port)) for form in CROOKED + SPACED]


async def test_no_form_of_an_address_leads_here(monkeypatch: pytest.MonkeyPatch) -> None:
    outside: list[str] = []
    sender = courier.HttpCourier._post

    async def post(self: courier.HttpCourier, to: Address, number: str, *more: Any) -> int:
        """Sends, but not to the internet, which tests do not reach."""
        if number == ON_THE_INTERNET:
            outside.append(number)
            raise OSError("no network in tests")
        return await sender(self, to, number, *more)

    monkeypatch.setattr(courier.HttpCourier, "_post", post)
    async with a_receiver(host="0.0.0.0") as canary:
        every = forms(canary.port)
        assert len(every) >= 120
        async with open_courier(0.5, lookup=Lookup()) as carrier:
            for url in every:
                with pytest.raises((InvalidInput, ReceiverError)):
                    await carrier.post(url, b"{}", {})
        assert canary.connected == 0
    assert outside == [ON_THE_INTERNET], "only the first answer for rebound.example"


async def test_without_the_check_they_would(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier, "public", lambda _: True)
    async with a_receiver() as receiver, open_courier(5, lookup=Lookup()) as carrier:
        hosts = ("127.0.0.1", "2130706433", "0x7f.1", "local.example", "localhost")
        for host in hosts:
            await carrier.post(f"http://{host}:{receiver.port}/", b"{}", {})
        assert receiver.connected == len(hosts)


async def test_a_name_is_looked_up_once_and_the_connection_goes_there() -> None:
    """Were it looked up again to connect, it could lead elsewhere by then."""
    lookup = Lookup()
    async with a_receiver() as receiver:
        async with open_courier(5, ["local.example"], lookup) as carrier:
            await carrier.post(f"http://local.example:{receiver.port}/x", b"{}", {"A": "b"})
        headers, body = await receiver.next()
    assert lookup.asked == ["local.example"]
    assert (headers["host"], headers["a"]) == (f"local.example:{receiver.port}", "b")
    assert body == b"{}"


async def test_redirects_and_proxies_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    async with a_receiver(302, 307) as receiver, a_receiver() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        async with open_courier(5, ["127.0.0.1"]) as carrier:
            for status in (302, 307):
                with pytest.raises(ReceiverError, match=f"it answered {status}"):
                    await carrier.post(receiver.url, b"{}", {})
        assert (receiver.connected, proxy.connected) == (2, 0)


async def test_no_cookie_of_one_receiver_is_sent_to_another() -> None:
    """Both are at one address, as behind a host of many, where a jar would not tell them apart."""
    hosts = ["local.example", "127.0.0.1"]
    async with a_receiver() as receiver, open_courier(5, hosts, Lookup()) as carrier:
        receiver.sets = "known=ann"
        for host in hosts:
            await carrier.post(f"http://{host}:{receiver.port}/", b"{}", {})
        heads = [(await receiver.next())[0] for _ in hosts]
    assert [head.get("cookie") for head in heads] == [None, None]


async def test_an_endless_answer_is_not_read_to_its_end() -> None:
    async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while True:
                writer.write(b"x" * 10_000)
                await writer.drain()
        except ConnectionError:
            writer.close()

    server = await asyncio.start_server(endless, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with asyncio.timeout(20), open_courier(10, [f"127.0.0.1:{port}"]) as carrier:
        await carrier.post(f"http://127.0.0.1:{port}/", b"{}", {})
    server.close()
