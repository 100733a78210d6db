"""The port by which others hear what happened."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from memweaver.domain.event import Event


class Events(Protocol):
    @abstractmethod
    async def emit(self, events: Sequence[Event]) -> None:
        """Tell whoever listens now. Never fails, and never waits for a slow listener."""
        ...
