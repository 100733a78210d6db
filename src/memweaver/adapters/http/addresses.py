"""Which addresses somebody else may send us to: those that anybody on the internet can reach."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from memweaver.errors import InvalidInput

SCHEMES = {"http": 80, "https": 443}
LONGEST = 2048
HOST = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]", re.IGNORECASE)
"""What a host may be written with: every parser reads that in the same way."""
AUTHORITY = re.compile(rf"({HOST.pattern})(?::([0-9]{{1,5}}))?", re.IGNORECASE)
LARGEST_PORT = 65_535
EMBEDDING = (
    IPv6Network("::/96"),
    IPv6Network("64:ff9b::/96"),
    IPv6Network("64:ff9b:1::/48"),
    IPv6Network("2001::/32"),
    IPv6Network("2002::/16"),
)
"""Where an IPv6 address stands for an IPv4 one, which somebody on the way may take it for."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address as a user gave it, read once; whoever connects uses these parts only."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == SCHEMES[self.scheme] else f"{host}:{self.port}"


def address_in(url: str) -> Address:
    """Raises `InvalidInput` for what is no plain http or https address."""
    if not (url.isascii() and url.isprintable()) or len(url) > LONGEST or set(url) & set(' \\"<>'):
        raise InvalidInput(f"`url` must be plain characters, at most {LONGEST}")
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise InvalidInput("`url` cannot be read") from error
    if parts.scheme not in SCHEMES or not url.startswith(f"{parts.scheme}://"):
        raise InvalidInput("`url` must begin with http:// or https://")
    if parts.fragment:
        raise InvalidInput("`url` must have no fragment")
    host, port = authority_in(parts)
    path = parts.path or "/"
    return Address(parts.scheme, host, port, f"{path}?{parts.query}" if parts.query else path)


def authority_in(parts: SplitResult) -> tuple[str, int]:
    read = AUTHORITY.fullmatch(parts.netloc)
    if read is None:
        raise InvalidInput("`url` must name a host, perhaps a port, and no user or password")
    port = int(read[2]) if read[2] else SCHEMES[parts.scheme]
    if not 0 < port <= LARGEST_PORT:
        raise InvalidInput("`url` has a port that cannot be")
    return read[1].strip("[]").lower().rstrip("."), port


def public(number: str) -> bool:
    """Whether anybody can reach this address, and only as what it is."""
    try:
        address = ip_address(number)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return reachable(address.ipv4_mapped)
        if (
            address.is_site_local
            or address.scope_id
            or any(address in network for network in EMBEDDING)
        ):
            return False
    return reachable(address)


def reachable(address: IPv4Address | IPv6Address) -> bool:
    special = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not special and not address.is_private
