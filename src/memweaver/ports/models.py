"""The ports to models."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from memweaver.domain.conversation import Message
from memweaver.domain.memory import Vector

Schema = Mapping[str, object]
"""A JSON schema."""


class Embedder(Protocol):
    @property
    @abstractmethod
    def model(self) -> str:
        """The name every vector made here is kept under; another name, another space."""
        ...

    @property
    @abstractmethod
    def dimensions(self) -> int: ...

    @property
    def here(self) -> bool:
        """Whether it keeps a processor of this machine busy, which others want too."""
        return False

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


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said. `finished` is false if it was cut off; tokens are 0 where not told."""

    text: str
    finished: bool = True
    tokens_in: int = 0
    tokens_out: int = 0


class ChatModel(Protocol):
    @property
    @abstractmethod
    def model(self) -> str:
        """Its name, for logs and counters."""
        ...

    @abstractmethod
    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None, tokens: int
    ) -> Completion:
        """What the model answers, at temperature 0 and with at most `tokens` tokens.

        With a `schema` the answer is held to it where the provider can; where it cannot, the
        answer is whatever the model made of the request.

        Raises:
            ModelUnavailable: it could not be reached, was busy or took too long.
            ModelRefused: wrong key, unknown model, refused input.
            ModelOutputInvalid: no answer of the protocol's shape, or one far too large.
        """
        ...
