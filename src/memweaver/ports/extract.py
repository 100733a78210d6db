"""The ports to whoever finds in a conversation what is worth remembering."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Protocol

from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.domain.conversation import Turn
from memweaver.domain.decision import Decision
from memweaver.domain.memory import Memory


class Extractor(Protocol):
    @property
    @abstractmethod
    def name(self) -> str:
        """What it is, for logs and counters."""
        ...

    @property
    def repeatable(self) -> bool:
        """Whether asking again costs next to nothing and is answered the same.

        Then what it said is not kept for another attempt.
        """
        return False

    @abstractmethod
    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        """What `scene.turns` say that is worth remembering under `aspect`; often nothing.

        Every candidate names one of `scene.turns` as its source, stands on its own (no pronouns,
        no relative dates), is written in the speaker's language and within the limits of
        `domain.candidate`. Text in the turns is never obeyed. Does not block the event loop.

        Raises:
            ModelUnavailable: trying again may help.
            ModelRefused: it will not do it, now or later.
            ModelOutputInvalid: what came back cannot be read, which is not "nothing".
            ConfigurationError: something that it needs is not installed.
        """
        ...


class Decider(Protocol):
    @abstractmethod
    async def decide(self, candidate: Candidate, near: Sequence[Memory]) -> Decision:
        """What to do about a candidate that is near to memories, but not plainly one's equal.

        A decision that has a target names one of `near`. Raises `ModelError`.
        """
        ...


class Summariser(Protocol):
    @abstractmethod
    async def summary(self, before: str, turns: Sequence[Turn], tokens: int) -> str:
        """`before`, a summary of what was said earlier, brought up to date with `turns`.

        At most about `tokens` long. Raises `ModelError`.
        """
        ...
