"""What a model has decided, kept with the jobs: a later attempt does not pay for it again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from memweaver.domain.candidate import Candidate
from memweaver.domain.decide import Near
from memweaver.domain.decision import Action, Decision
from memweaver.ports.queue import Claim, Settling

DECISIONS = "decisions"
"""The name under which they are staged."""


@dataclass(frozen=True, slots=True)
class Memo:
    """Decisions by what was asked: a candidate among neighbours, told by their words.

    Not by their ids: a memory that is only just being added has another one in each attempt.
    """

    queue: Settling
    claim: Claim
    known: dict[str, list[object]] = field(default_factory=dict[str, list[object]])

    @classmethod
    def of(cls, queue: Settling, claim: Claim) -> "Memo":
        return cls(queue, claim, json.loads(claim.staged.get(DECISIONS, b"{}")))

    def decided(self, candidate: Candidate, near: Sequence[Near]) -> Decision | None:
        kept = self.known.get(question(candidate, near))
        if kept is None:
            return None
        action, because, place, text = kept
        target = near[place].memory.id if isinstance(place, int) else None
        said = str(text) if text is not None else None
        return Decision(Action(str(action)), str(because), target, said)

    async def keep(self, candidate: Candidate, near: Sequence[Near], decision: Decision) -> None:
        """Raises `ClaimLost`, `BackendError`."""
        ids = [one.memory.id for one in near]
        place = ids.index(decision.target) if decision.target in ids else None
        kept: list[object] = [decision.action, decision.because, place, decision.text]
        self.known[question(candidate, near)] = kept
        await self.queue.stage(self.claim, DECISIONS, json.dumps(self.known).encode())


def question(candidate: Candidate, near: Sequence[Near]) -> str:
    """What is asked, as a name for it."""
    told = [candidate.wish, candidate.tier, candidate.text, *(one.memory.spoken for one in near)]
    return sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()
