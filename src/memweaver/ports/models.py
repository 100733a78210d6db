"""The ports to models."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from memweaver.domain.memory import Vector


class Embedder(Protocol):
    @property
    @abstractmethod
    def model(self) -> str:
        """The name every vector made here is kept under; another name, another space."""
        ...

    @property
    @abstractmethod
    def dimensions(self) -> int: ...

    @abstractmethod
    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        """One unit vector for each text, in order; none for none.

        A text longer than the model reads is cut, never refused. Does not block the event loop.

        Raises:
            ModelUnavailable: the model could not be reached; trying again may help.
            ModelRefused: it was reached and will not do it.
            ModelOutputInvalid: what came back are not the vectors asked for.
        """
        ...
