"""The ports to keys: the master keys that wrap, and the vault of wrapped user keys."""

from abc import abstractmethod
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol


@dataclass(frozen=True, slots=True)
class MasterKey:
    version: int
    secret: bytes = field(repr=False)


class KeyCapability(Enum):
    """What a source of master keys may, but need not, be able to do."""

    ROTATE = auto()
    """It can make a new version and forget old ones by itself."""


class MasterKeys(Protocol):
    """Versioned master keys. Synchronous: read at start and when a version is not known yet."""

    @property
    @abstractmethod
    def capabilities(self) -> frozenset[KeyCapability]: ...

    @abstractmethod
    def current(self) -> MasterKey:
        """The version that wraps from now on, also when another process made it."""
        ...

    @abstractmethod
    def version(self, number: int) -> MasterKey:
        """Raises `Unreadable` if there is no such version (any more)."""
        ...

    @abstractmethod
    def add(self) -> MasterKey:
        """Make a new version and make it current, durably.

        Raises:
            Unsupported: `KeyCapability.ROTATE` is not among `capabilities`.
        """
        ...

    @abstractmethod
    def retire(self, below: int) -> None:
        """Destroy every version below `below`, durably. What they wrapped is lost.

        Raises:
            Unsupported: `KeyCapability.ROTATE` is not among `capabilities`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Rotation:
    """How far a rotation is."""

    done: int
    total: int


class Vault(Protocol):
    """The user keys, wrapped by the master key, and what is sealed under them.

    Each rotation is a stream of progress: it works in short transactions while others read and
    write, and one that was cut off goes on where it was when called again.
    """

    @abstractmethod
    def rewrap(self) -> AsyncIterator[Rotation]:
        """Wrap every user key under the current master key."""
        ...

    @abstractmethod
    def reseal(self, user: str) -> AsyncIterator[Rotation]:
        """Give `user` a new key, seal everything of theirs under it, then destroy the old ones.

        Raises:
            NotFound: nobody of that name has a key.
        """
        ...

    @abstractmethod
    async def users(self) -> list[str]:
        """Everybody who has a key; the house, which has one too, is nobody."""
        ...

    @abstractmethod
    async def destroy(self, user: str) -> None:
        """Remove `user`'s keys and everything sealed under them; for nobody it is a no-op.

        Raises `InvalidInput` for a name that no user can have, such as the house's.

        From then on nothing of theirs can be read here, and a write by somebody who still holds
        the old key fails. Copies made before stay readable only to who keeps the master version
        that wrapped the key then.
        """
        ...
