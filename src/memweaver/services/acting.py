"""Acting: a service, such as a chat application, speaks for its end users, each time signed."""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Collection
from dataclasses import dataclass
from dataclasses import replace as changed

from memweaver.domain.principal import Permission, Principal
from memweaver.domain.scope import LONGEST_NAME
from memweaver.errors import InvalidInput
from memweaver.ports.access import ApiKey
from memweaver.ports.clock import Clock
from memweaver.ports.tokens import Tokens
from memweaver.services.signing import Signing

NAME = "acting"
"""The secret of the house that the signing secrets of services are made of."""
LENDABLE = frozenset({Permission.READ, Permission.WRITE, Permission.CHAT})
"""What one may do for another. Keys are not made for others: they would outlast the signature."""


@dataclass(frozen=True, slots=True)
class Acting:
    tokens: Tokens
    signing: Signing
    clock: Clock

    async def secret(self, key: ApiKey) -> str:
        """What the service that has `key` signs with; it can be told again from the key's id."""
        known = await self.signing.known(NAME)
        return derived(known.versions[known.newest], key)

    async def principal(self, service: Principal, key: ApiKey, text: str) -> Principal | None:
        """The end user whom `text` names, signed by the service; `None` if it is not."""
        now = self.clock.now()
        for version in (await self.signing.known(NAME)).versions.values():
            name = self.tokens.end_user(text, derived(version, key).encode(), now)
            if name is not None:
                user = f"{key.realm}:{name}"
                lent = service.permissions & LENDABLE
                fits = len(user) <= LONGEST_NAME
                return changed(service, user=user, permissions=lent) if fits else None
        return None


def derived(secret: bytes, key: ApiKey) -> str:
    made = hmac.digest(secret, f"key\0{key.id}".encode(), "sha256")
    return urlsafe_b64encode(made).rstrip(b"=").decode()


def allowed(permissions: Collection[Permission], realm: str | None) -> frozenset[Permission]:
    """What a key gets that was to have `permissions`. Raises `InvalidInput`."""
    wanted = frozenset(permissions)
    if realm is None:
        if Permission.ACT in wanted:
            raise InvalidInput("`permissions`: to act for others a key needs a realm")
        return wanted
    if not (realm.isascii() and realm.replace("-", "").isalnum()) or realm == "memweaver":
        raise InvalidInput("`realm` must be a plain name: letters, digits and hyphens")
    return wanted & LENDABLE | {Permission.ACT}
