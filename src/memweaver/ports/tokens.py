"""The ports to what proves who somebody is: passwords, tokens, and the word of a service."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Token:
    """What a token says, once it is proven."""

    id: str
    user: str
    issued_at: datetime
    expires_at: datetime


class Tokens(Protocol):
    """Writes and reads tokens. There is one algorithm and one shape; all else is refused."""

    @abstractmethod
    def issue(self, token: Token, version: int, secret: bytes) -> str:
        """The token, signed with that version of the secret."""
        ...

    @abstractmethod
    def read(self, text: str, secrets: Mapping[int, bytes], now: datetime) -> Token | None:
        """What it says, if it was issued here and holds `now`; whatever is wrong: `None`."""
        ...

    @abstractmethod
    def end_user(self, text: str, secret: bytes, now: datetime) -> str | None:
        """Whom a service acts for, if it signed so minutes ago; whatever is wrong: `None`."""
        ...


class Passwords(Protocol):
    """Hashes passwords so that trying is slow."""

    @abstractmethod
    async def hashed(self, password: str) -> str: ...

    @abstractmethod
    async def matches(self, password: str, hashed: str | None) -> bool:
        """Whether it is that password. Against `None` it takes as long, and is not."""
        ...
