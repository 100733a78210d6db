"""The port to who may come in."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memweaver.domain.principal import EVERYTHING, Permission


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A credential of one user. `digest` is a hash; the secret itself is kept nowhere."""

    id: str
    user: str
    digest: bytes
    label: str
    created_at: datetime
    revoked_at: datetime | None = None
    permissions: frozenset[Permission] = EVERYTHING
    ai: str | None = None
    """The only AI it may speak for, if it is bound to one."""
    realm: str | None = None
    """Of a service key: those it may act for are the users named `realm:name`."""
    expires_at: datetime | None = None

    def holds(self, now: datetime) -> bool:
        """Whether it still lets anybody in."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


class AccessStore(Protocol):
    @abstractmethod
    async def add_key(self, key: ApiKey) -> None:
        """Raises `Conflict` if the id or digest is taken."""
        ...

    @abstractmethod
    async def key_by_digest(self, digest: bytes) -> ApiKey | None:
        """The key with that digest, revoked ones too."""
        ...

    @abstractmethod
    async def keys(self, user: str | None = None) -> Sequence[ApiKey]:
        """All keys, or those of one user, oldest first."""
        ...

    @abstractmethod
    async def revoke_key(self, key_id: str, at: datetime) -> bool:
        """Whether that ended it: revoking again changes nothing. Raises `NotFound`."""
        ...

    @abstractmethod
    async def revoke_token(self, token_id: str, expires_at: datetime) -> None:
        """Remember it until it expires, or longer if nobody sweeps. Again changes nothing."""
        ...

    @abstractmethod
    async def token_revoked(self, token_id: str) -> bool: ...

    @abstractmethod
    async def sweep_tokens(self, *, before: datetime) -> int:
        """Forget the revoked tokens that expired by then; how many."""
        ...
