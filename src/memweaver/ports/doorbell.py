"""The port by which workers hear that there is something to do."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from memweaver.domain.job import Job


class Doorbell(Protocol):
    """Carries the names of jobs from whoever records to whoever reflects, never a word of them.

    The queue of record decides what there is to do: a bell that is lost, heard twice or out of
    order does no harm, and workers look by themselves now and then. So no method here raises
    for a bell that cannot be reached; `trouble` says it.
    """

    @property
    @abstractmethod
    def trouble(self) -> str | None:
        """The code of what keeps it from being rung or heard at the moment."""
        ...

    @abstractmethod
    async def ring(self, jobs: Sequence[Job]) -> None:
        """Say that `jobs` wait. Does not wait for somebody to hear it."""
        ...

    @abstractmethod
    async def heard(self, patience: float) -> bool:
        """Wait until it rings, or for `patience` seconds; whether it rang.

        What was heard counts as handled when this is called again, or the bell is closed.
        """
        ...

    @abstractmethod
    async def toll(self, jobs: Sequence[Job]) -> None:
        """Say that `jobs` are dead, where operators listen for that."""
        ...
