"""The port to who may come in."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A credential of one user. `digest` is a hash; the secret itself is kept nowhere."""

    id: str
    user: str
    digest: bytes
    label: str
    created_at: datetime
    revoked_at: datetime | None = None


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
    async def revoke_key(self, key_id: str, at: datetime) -> None:
        """Raises `NotFound`. Revoking again changes nothing."""
        ...
