"""The port to time and to fresh names, so that no service reads either by itself."""

from abc import abstractmethod
from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    @abstractmethod
    def now(self) -> datetime:
        """The time, in UTC."""
        ...

    @abstractmethod
    def new_id(self) -> str:
        """A name nobody has; later ones sort after earlier ones."""
        ...
