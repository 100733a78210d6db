"""Logins: a token stands for somebody until it expires, is revoked or all are void."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from memweaver.domain.account import Account
from memweaver.domain.principal import Principal
from memweaver.errors import Unauthenticated, Unsupported
from memweaver.ports.access import AccessStore
from memweaver.ports.accounts import AccountStore
from memweaver.ports.clock import Clock
from memweaver.ports.tokens import Token, Tokens
from memweaver.services.signing import Signing

NAME = "tokens"
"""The secret of the house that tokens are signed with."""
GIVEN = 0
"""The version of a secret that the settings give."""


@dataclass(frozen=True, slots=True)
class Logins:
    """`given` is the secret that the settings give, if they do; else the house makes its own."""

    tokens: Tokens
    accounts: AccountStore
    access: AccessStore
    signing: Signing
    clock: Clock
    lifetime: timedelta
    given: bytes | None = None

    async def issue(self, account: Account) -> str:
        now = self.clock.now().replace(microsecond=0)
        begin = max(now, account.tokens_from.replace(microsecond=0))
        token = Token(self.clock.new_id(), account.user, begin, now + self.lifetime)
        secrets = await self._secrets()
        newest = max(secrets)
        return self.tokens.issue(token, newest, secrets[newest])

    async def principal(self, text: str) -> Principal | None:
        """Whom the token stands for; whatever is wrong with it: `None`."""
        token = await self._read(text)
        if token is None or await self.access.token_revoked(token.id):
            return None
        standing = await self.accounts.standing(token.user)
        if standing is None or standing.disabled_at is not None:
            return None
        if token.issued_at < standing.tokens_from.replace(microsecond=0):
            return None
        return Principal(token.user, token.id, standing.role.permissions, standing.organisation)

    async def revoke(self, text: str) -> None:
        """Raises `Unauthenticated` for what is no token."""
        token = await self._read(text)
        if token is None:
            raise Unauthenticated("only a token from /login can be logged out")
        await self.access.revoke_token(token.id, token.expires_at)

    async def rotate(self) -> int:
        """Sign with a new secret; tokens of the former ones hold until they expire.

        Raises `Unsupported` if the settings give the secret.
        """
        if self.given is not None:
            raise Unsupported("the secret of tokens is given by the settings: change it there")
        return await self.signing.renew(NAME)

    async def _read(self, text: str) -> Token | None:
        now = self.clock.now()
        return self.tokens.read(text, await self._secrets(), now)

    async def _secrets(self) -> Mapping[int, bytes]:
        if self.given is not None:
            return {GIVEN: self.given}
        return (await self.signing.known(NAME)).versions
