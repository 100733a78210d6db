"""The port to whatever turns clear bytes into sealed ones."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Context:
    """Where a sealed value belongs. What is sealed in one place does not open in another."""

    owner: str
    table: str
    column: str
    row: str
    version: int


class Cipher(Protocol):
    """Seals bytes under a key, bound to a context. Pure computation; safe in any thread."""

    @property
    @abstractmethod
    def name(self) -> str:
        """How settings call it."""
        ...

    @abstractmethod
    def new_key(self) -> bytes:
        """A fresh random key."""
        ...

    @abstractmethod
    def seal(self, key: bytes, clear: bytes, context: Context) -> bytes:
        """`clear`, readable only with the same key and context. Never the same bytes twice."""
        ...

    @abstractmethod
    def open(self, key: bytes, sealed: bytes, context: Context) -> bytes:
        """What was sealed, whichever cipher of this family sealed it.

        Raises:
            Unreadable: another key, another context, or altered bytes.
        """
        ...
