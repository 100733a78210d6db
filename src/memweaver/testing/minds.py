"""An extractor, a decider and a summariser that do as they are told."""

import re
from asyncio import sleep
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memweaver.domain.candidate import Aspect, Candidate, CandidateKind, Scene
from memweaver.domain.conversation import Turn
from memweaver.domain.decision import Decision
from memweaver.domain.memory import Memory, Tier
from memweaver.errors import MemweaverError
from memweaver.ports.extract import Decider, Extractor, Summariser

FACT = re.compile(r"FACT: ([^\n]+)")


@dataclass(slots=True)
class ScriptedExtractor(Extractor):
    """Finds a fact in every line that begins with `FACT:`, or raises what it is told to.

    `errors` are raised for an aspect, the first of them first; `None` lets one call go well.
    """

    errors: Mapping[Aspect, list[MemweaverError | None]] = field(default_factory=dict)
    seconds: float = 0.0
    asked: list[tuple[Scene, Aspect]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "scripted"

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        self.asked.append((scene, aspect))
        await sleep(self.seconds)
        if (due := self.errors.get(aspect)) and (error := due.pop(0)) is not None:
            raise error
        if aspect is not Aspect.SEMANTIC:
            return []
        return [
            Candidate(found, CandidateKind.FACT, Tier.SEMANTIC, turn.id, speaker=message.role)
            for turn in scene.turns
            for message in turn.messages
            for found in FACT.findall(message.text)
        ]


@dataclass(slots=True)
class ScriptedDecider(Decider):
    """Answers the decisions it was given, in their order, or raises them."""

    decisions: list[Decision | MemweaverError]
    asked: list[tuple[Candidate, Sequence[Memory]]] = field(default_factory=list)

    async def decide(self, candidate: Candidate, near: Sequence[Memory]) -> Decision:
        self.asked.append((candidate, near))
        decision = self.decisions.pop(0)
        if isinstance(decision, MemweaverError):
            raise decision
        return decision


class LastWords(Summariser):
    """Keeps the end of what was said."""

    async def summary(self, before: str, turns: Sequence[Turn], tokens: int) -> str:
        said = " ".join(message.spoken for turn in turns for message in turn.messages)
        return f"{before} {said}".strip()[-4 * tokens :]
