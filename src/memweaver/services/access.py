"""Access: who may come in, and as whom."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from memweaver.domain.scope import checked_name
from memweaver.errors import Unauthenticated
from memweaver.ports.access import AccessStore, ApiKey
from memweaver.ports.clock import Clock

PREFIX = "mw_"
"""By which a leaked key is recognised for what it is."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Who a valid credential stands for."""

    user: str
    key_id: str


@dataclass(frozen=True, slots=True)
class Issued:
    """A new key with its secret, which is shown now and kept nowhere."""

    secret: str
    key: ApiKey


@dataclass(frozen=True, slots=True)
class Access:
    store: AccessStore
    clock: Clock

    async def create(self, user: str, label: str) -> Issued:
        """A new key for `user`."""
        secret = PREFIX + secrets.token_urlsafe(32)
        key = ApiKey(
            id=self.clock.new_id(),
            user=checked_name("user", user),
            digest=digest(secret),
            label=checked_name("label", label),
            created_at=self.clock.now(),
        )
        await self.store.add_key(key)
        return Issued(secret, key)

    async def principal(self, secret: str) -> Principal:
        """Whose key `secret` is. Raises `Unauthenticated`, for any reason in the same words."""
        key = await self.store.key_by_digest(digest(secret))
        if key is None or key.revoked_at is not None:
            raise Unauthenticated("a valid API key is needed")
        return Principal(key.user, key.id)

    async def keys(self, user: str | None = None) -> Sequence[ApiKey]:
        return await self.store.keys(user)

    async def revoke(self, key_id: str) -> None:
        """Raises `NotFound`."""
        await self.store.revoke_key(key_id, self.clock.now())


def digest(secret: str) -> bytes:
    """A fast hash is enough for a secret of 256 random bits; looking it up compares nothing."""
    return sha256(secret.encode()).digest()
