"""The port by which figures are kept about what happens."""

from abc import abstractmethod
from typing import Protocol


class Meter(Protocol):
    """Counts and times. Labels are words of our own: never names of people, never contents."""

    @abstractmethod
    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add to a counter; an amount below zero, which nothing can have, adds nothing."""
        ...

    @abstractmethod
    def time(self, name: str, seconds: float, **labels: str) -> None:
        """Note how long something took."""
        ...

    @abstractmethod
    def level(self, name: str, value: float, **labels: str) -> None:
        """Note how much of something there is now."""
        ...

    @abstractmethod
    def here(self) -> str | None:
        """Where in a trace this happens, for whoever goes on with it elsewhere; a `traceparent`."""
        ...


class Figures(Meter, Protocol):
    """A meter whose figures can be read."""

    @abstractmethod
    def page(self) -> str:
        """Every figure so far, in the text format of Prometheus, version 0.0.4."""
        ...
