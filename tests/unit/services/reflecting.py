"""What reflection is given, and what it leaves."""

from collections.abc import Sequence
from dataclasses import dataclass

from tests.unit.services.house import ANN, House, heard

from memweaver.domain.candidate import Aspect, Candidate, Scene
from memweaver.domain.job import Job, State
from memweaver.errors import MemweaverError, ModelOutputInvalid, ModelUnavailable
from memweaver.services.reflect import Outcome
from memweaver.testing.minds import ScriptedExtractor

TEA = heard("FACT: User likes tea.")
AWAY = ModelUnavailable("away")
NONSENSE = ModelOutputInvalid("prose")


@dataclass(slots=True)
class Failing(ScriptedExtractor):
    """Raises `error`, to everybody or only where it is shown a turn that says a word."""

    error: MemweaverError | None = AWAY
    word: str = ""

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        shown = [*scene.before, *scene.turns]
        if self.error and any(self.word in turn.messages[0].text for turn in shown):
            raise self.error
        return await ScriptedExtractor.extract(self, scene, aspect)


async def texts(house: House) -> list[str]:
    page = await house.services.curate.memories(ANN)
    return sorted(memory.text for memory in page.items)


async def reflected(house: House) -> list[Outcome]:
    """Work until there is nothing left that is due."""
    outcomes = []
    while (outcome := await house.services.shift()) is not None:
        outcomes.append(outcome)
    return outcomes


async def jobs(house: House) -> Sequence[Job]:
    page = await house.backend.queue.jobs(states=tuple(State), user="ann", before=None, limit=9)
    return page.items[::-1]
