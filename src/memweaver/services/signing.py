"""Signing: what leaves the house and comes back is known to be its own."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memweaver.errors import InvalidInput
from memweaver.ports.clock import Clock
from memweaver.ports.secrets import Secret, SecretStore

FRESH = timedelta(minutes=1)
"""For how long it is not asked again whether another process has renewed a secret."""
MAC_BYTES = 16


@dataclass(slots=True)
class Known:
    """The versions of one secret, the newest first, and when they were read."""

    versions: Mapping[int, bytes]
    at: datetime

    @property
    def newest(self) -> int:
        return max(self.versions)


@dataclass(frozen=True, slots=True)
class Signing:
    """Signs by HMAC-SHA256. What an older version signed stays good until that is retired."""

    store: SecretStore
    clock: Clock
    _known: dict[str, Known] = field(default_factory=dict[str, Known])

    async def sign(self, purpose: str, payload: str) -> str:
        """`payload`, which anybody can read, as a text that only the house can write."""
        known = await self.known(purpose)
        clear = payload.encode("utf-8", "surrogatepass")
        mac = signature(known.versions[known.newest], purpose, clear)
        return f"{known.newest}.{spelt(mac + clear)}"

    async def opened(self, purpose: str, text: str) -> str:
        """The payload. Raises `InvalidInput` if it was not signed here for that purpose."""
        version, _, rest = text.partition(".")
        signed = read(rest)
        secret = await self.version(purpose, version)
        mac, clear = signed[:MAC_BYTES], signed[MAC_BYTES:]
        if secret is None or not hmac.compare_digest(mac, signature(secret, purpose, clear)):
            raise not_ours()
        return clear.decode("utf-8", "surrogatepass")

    async def known(self, name: str, *, holding: int | None = None) -> Known:
        """The versions of a secret, read again if they are not fresh or `holding` is not there."""
        now, known = self.clock.now(), self._known.get(name)
        stale = known is None or now - known.at > FRESH
        if known is None or stale or (holding is not None and holding not in known.versions):
            known = Known(by_version(await self.store.first(name, now)), now)
            self._known[name] = known
        return known

    async def version(self, name: str, number: str) -> bytes | None:
        if not (number.isascii() and number.isdecimal()) or number != str(int(number[:9])):
            return None
        known = await self.known(name, holding=int(number))
        return known.versions.get(int(number))

    async def renew(self, name: str) -> int:
        """Sign with a new version from now on; the number of it."""
        secret = await self.store.renew(name, self.clock.now())
        self._known.pop(name, None)
        return secret.version


def by_version(secrets: Sequence[Secret]) -> Mapping[int, bytes]:
    return {secret.version: secret.value for secret in secrets}


def signature(secret: bytes, purpose: str, clear: bytes) -> bytes:
    return hmac.digest(secret, purpose.encode() + b"\0" + clear, "sha256")[:MAC_BYTES]


def spelt(signed: bytes) -> str:
    return urlsafe_b64encode(signed).rstrip(b"=").decode()


def read(text: str) -> bytes:
    """Raises `InvalidInput` for what is not written as `spelt` does it."""
    try:
        signed = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except ValueError as error:
        raise not_ours() from error
    if spelt(signed) != text:
        raise not_ours()
    return signed


def not_ours() -> InvalidInput:
    return InvalidInput("this was not made here, or not for this")
