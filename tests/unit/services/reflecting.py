"""What reflection is given, and what it leaves."""

from tests.unit.services.house import ANN, House, heard

from memweaver.errors import ModelOutputInvalid, ModelUnavailable
from memweaver.services.reflect import Outcome

TEA = heard("FACT: User likes tea.")
AWAY = ModelUnavailable("away")
NONSENSE = ModelOutputInvalid("prose")


async def texts(house: House) -> list[str]:
    page = await house.services.curate.memories(ANN)
    return sorted(memory.text for memory in page.items)


async def reflected(house: House) -> list[Outcome]:
    """Work until there is nothing left that is due."""
    outcomes = []
    while (outcome := await house.services.shift()) is not None:
        outcomes.append(outcome)
    return outcomes
