"""What this index needs to split texts."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol


class Words(Protocol):
    """Splits texts into the numbers of their words, 64 bits each."""

    @property
    @abstractmethod
    def language(self) -> str: ...

    @abstractmethod
    def split(self, text: str) -> tuple[Sequence[int], Sequence[int]]:
        """The content words of `text`, and all its words, in order."""
        ...
