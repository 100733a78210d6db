"""The port to what the house signs with."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Secret:
    """One version of a secret of the house."""

    name: str
    version: int
    created_at: datetime
    value: bytes = field(repr=False)


class SecretStore(Protocol):
    """Keeps named, versioned secrets of 32 random bytes, sealed under the house's key."""

    @abstractmethod
    async def versions(self, name: str) -> Sequence[Secret]:
        """All versions of `name`, the newest first."""
        ...

    @abstractmethod
    async def first(self, name: str, at: datetime) -> Sequence[Secret]:
        """The same; version 1 is made if there is none, once, however many ask."""
        ...

    @abstractmethod
    async def renew(self, name: str, at: datetime) -> Secret:
        """Make the next version. Older ones stay."""
        ...

    @abstractmethod
    async def retire(self, name: str, below: int) -> None:
        """Destroy the versions below `below`; what they signed is void."""
        ...
