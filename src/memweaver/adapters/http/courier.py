"""The `Courier` port over HTTP: looks up a name once, and goes only where that leads."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager

from httpx import AsyncClient, HTTPError, Limits

from memweaver.adapters.http.addresses import Address, address_in, public
from memweaver.adapters.http.cookies import no_cookies
from memweaver.errors import ReceiverError
from memweaver.ports.webhooks import Courier

LARGEST_ANSWER = 65_536
"""Bytes of an answer that are read, for nothing but good manners."""
TAKEN = range(200, 300)

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]


async def looked_up(host: str, port: int) -> Sequence[str]:
    """Every address that a name leads to. Raises `OSError`."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class HttpCourier(Courier):
    """`hosts` are those, with or without a port, that may be private nevertheless."""

    def __init__(
        self, client: AsyncClient, timeout: float, hosts: Collection[str], lookup: Lookup
    ) -> None:
        self._client = client
        self._timeout = timeout
        self._hosts = frozenset(host.lower() for host in hosts)
        self._lookup = lookup

    def check(self, url: str) -> None:
        address_in(url)

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        address = address_in(url)
        try:
            async with asyncio.timeout(self._timeout):
                status = await self._post(address, await self._number(address), body, headers)
        except TimeoutError as error:
            raise ReceiverError(f"no answer within {self._timeout:g} s") from error
        except (HTTPError, OSError, UnicodeError) as error:
            raise ReceiverError(f"could not be reached ({type(error).__name__})") from error
        if status not in TAKEN:
            raise ReceiverError(f"it answered {status}")

    async def _number(self, address: Address) -> str:
        """The one address to connect to: no second look-up may lead elsewhere."""
        numbers = await self._lookup(address.host, address.port)
        trusted = {address.host, f"{address.host}:{address.port}"} & self._hosts
        if not numbers or not (trusted or all(public(number) for number in numbers)):
            raise ReceiverError(
                "it is not on the internet: an operator may allow it by "
                "MEMWEAVER_EVENTS__WEBHOOK_HOSTS"
            )
        return numbers[0]

    async def _post(
        self, address: Address, number: str, body: bytes, headers: Mapping[str, str]
    ) -> int:
        host = f"[{number}]" if ":" in number else number
        request = self._client.build_request(
            "POST",
            f"{address.scheme}://{host}:{address.port}{address.path}",
            content=body,
            headers={**headers, "Host": address.authority},
            extensions={"sni_hostname": address.host},
        )
        answer = await self._client.send(request, stream=True)
        try:
            read = 0
            async for piece in answer.aiter_raw():
                read += len(piece)
                if read > LARGEST_ANSWER:
                    break
        finally:
            await answer.aclose()
        return answer.status_code


@asynccontextmanager
async def open_courier(
    seconds: float, hosts: Collection[str] = (), lookup: Lookup = looked_up
) -> AsyncGenerator[Courier]:
    """No redirects, no proxies from the environment, no cookies, no connection kept."""
    once = Limits(max_keepalive_connections=0)
    async with AsyncClient(
        follow_redirects=False,
        trust_env=False,
        cookies=no_cookies(),
        timeout=seconds,
        limits=once,
    ) as client:
        yield HttpCourier(client, seconds, hosts, lookup)
