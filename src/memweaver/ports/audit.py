"""The port to the record of who did what to whom."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Deed:
    """Names only: never what anybody said."""

    at: datetime
    actor: str
    action: str
    subject: str


class Audit(Protocol):
    @abstractmethod
    async def note(self, deed: Deed) -> None:
        """Keep `deed` for good, durably."""
        ...

    @abstractmethod
    async def deeds(self, limit: int) -> Sequence[Deed]:
        """The latest `limit`, the latest first."""
        ...
