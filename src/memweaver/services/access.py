"""Access: who may come in, and as whom."""

import secrets
from asyncio import get_running_loop
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest

from memweaver.domain.principal import (
    ACTING_HEADER,
    EVERYTHING,
    HOME,
    PERSONAL,
    Permission,
    Principal,
)
from memweaver.domain.scope import checked_name, checked_user
from memweaver.errors import Forbidden, InvalidInput, NotFound, Unauthenticated
from memweaver.ports.access import AccessStore, ApiKey
from memweaver.ports.accounts import AccountStore
from memweaver.ports.clock import Clock
from memweaver.services.acting import LENDABLE, Acting, allowed
from memweaver.services.refusing import unhurried
from memweaver.services.tokens import Logins

PREFIX = "mw_"
"""By which a leaked key is recognised for what it is."""
NEEDED = "a valid API key or token is needed"


@dataclass(frozen=True, slots=True)
class Issued:
    """A new key with its secret, which is shown now and kept nowhere.

    `signing` is what a service signs with whom it acts for; shown once as well.
    """

    secret: str
    key: ApiKey
    signing: str | None = None


@dataclass(frozen=True, slots=True)
class Access:
    store: AccessStore
    accounts: AccountStore
    logins: Logins
    acting: Acting
    clock: Clock

    async def create(
        self,
        user: str,
        label: str,
        *,
        permissions: Collection[Permission] = PERSONAL,
        ai: str | None = None,
        expires_at: datetime | None = None,
        realm: str | None = None,
    ) -> Issued:
        """A new key for `user`; with a `realm` it is a service's, to act for others."""
        now = self.clock.now()
        if expires_at is not None and expires_at <= now:
            raise InvalidInput("`expires_at` must be in the future")
        secret = PREFIX + secrets.token_urlsafe(32)
        key = ApiKey(
            id=self.clock.new_id(),
            user=checked_user(user),
            digest=digest(secret),
            label=checked_name("label", label),
            created_at=now,
            permissions=allowed(permissions, realm),
            ai=None if ai is None else checked_name("ai", ai),
            realm=realm,
            expires_at=expires_at,
        )
        await self.store.add_key(key)
        return Issued(secret, key, await self.acting.secret(key) if realm else None)

    async def create_own(
        self,
        caller: Principal,
        label: str,
        *,
        permissions: Collection[Permission] | None = None,
        ai: str | None = None,
        expires_at: datetime | None = None,
    ) -> Issued:
        """A key of the caller's own, which can do no more and holds no longer than what made it.

        Raises:
            Forbidden: it was to do more, or to hold longer.
            NotFound: it was to speak for an AI that the caller may not speak for.
        """
        wanted = caller.permissions & LENDABLE if permissions is None else frozenset(permissions)
        for permission in sorted(wanted - caller.permissions):
            caller.must(permission)
        until = caller.expires_at if expires_at is None else expires_at
        if caller.expires_at is not None and until is not None and until > caller.expires_at:
            raise Forbidden("a key cannot make one that holds longer than itself")
        bound = caller.scope(ai).ai
        return await self.create(caller.user, label, permissions=wanted, ai=bound, expires_at=until)

    async def principal(self, secret: str, acting: str | None = None) -> Principal:
        """Whom `secret`, a key or a token, stands for.

        `acting` is what a service presents beside its key: whom it acts for, signed.

        Raises:
            Unauthenticated: for any reason in the same words and after the same time.
            Forbidden: something else than a service's key acts for somebody.
        """
        began = get_running_loop().time()
        if not secret.startswith(PREFIX):
            caller, key = await self.logins.principal(secret), None
        else:
            caller, key = await self._by_key(secret)
        if caller is not None and acting is not None:
            if key is None or key.realm is None:
                raise Forbidden(f"{ACTING_HEADER} is for the keys of services only")
            caller = await self.acting.principal(caller, key, acting)
        if caller is None:
            await unhurried(began)
            raise Unauthenticated(NEEDED)
        return caller

    async def keys(self, user: str | None = None) -> Sequence[ApiKey]:
        return await self.store.keys(user)

    async def own_keys(self, caller: Principal) -> Sequence[ApiKey]:
        """The caller's keys; for one AI, those bound to it."""
        keys = await self.store.keys(caller.user)
        return [key for key in keys if caller.ai in {None, key.ai}]

    async def revoke(self, key_id: str) -> bool:
        """End a key, whosever it is; whether it was not revoked before. Raises `NotFound`."""
        return await self.store.revoke_key(key_id, self.clock.now())

    async def revoke_own(self, caller: Principal, key_id: str) -> bool:
        """End one of the caller's keys; whether it was not revoked before. Raises `NotFound`."""
        if all(key.id != key_id for key in await self.own_keys(caller)):
            raise NotFound(f"there is no API key {key_id!r}")
        return await self.revoke(key_id)

    async def _by_key(self, secret: str) -> tuple[Principal | None, ApiKey | None]:
        wanted = digest(secret)
        key = await self.store.key_by_digest(wanted)
        if key is None or not compare_digest(key.digest, wanted):
            return None, None
        standing = await self.accounts.standing(key.user)
        if not key.holds(self.clock.now()) or (standing and standing.disabled_at):
            return None, None
        permissions, organisation = key.permissions, HOME
        if standing is not None:
            permissions &= standing.role.permissions | {Permission.ACT}
            organisation = standing.organisation
        return Principal(key.user, key.id, permissions, organisation, key.ai, key.expires_at), key


def unlimited(caller: Principal) -> Principal:
    """The caller, who may do all that an admin's login may, and for as long.

    An account made by a lesser key would do more than that key, and outlive it.
    Raises `Forbidden`.
    """
    lacking = EVERYTHING - caller.permissions
    if lacking:
        less = "without " + ", ".join(f"`{one}`" for one in sorted(lacking))
    elif caller.ai is not None:
        less = "for one AI"
    elif caller.expires_at is not None:
        less = "that expires"
    else:
        return caller
    raise Forbidden(f"a key {less} cannot make or change accounts: log in as an admin")


def digest(secret: str) -> bytes:
    """A fast hash is enough for a secret of 256 random bits."""
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
