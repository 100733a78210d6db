"""Health: a store that does not answer is said, not hidden."""

from dataclasses import replace

from tests.unit.services.house import ANN, a_house

from memweaver.domain.memory import Draft
from memweaver.errors import BackendUnavailable
from memweaver.ports.vectors import Progress


class Away:
    async def progress(self, model: str) -> Progress:
        raise BackendUnavailable(model)


async def test_all_is_well() -> None:
    async with a_house() as house:
        report = await house.services.health()
        assert report.status == "ok"
        assert report.parts["embedding"] == {"model": "words", "embedded": 1.0}


async def test_how_far_embedding_is_is_told_as_a_share() -> None:
    async with a_house() as house:
        await house.services.curate.add(ANN, Draft("Likes tea"))
        assert (await house.services.health()).parts["embedding"]["embedded"] == 0.0
        await house.services.embed.settled()
        assert (await house.services.health()).parts["embedding"]["embedded"] == 1.0


async def test_a_store_that_is_away_is_degraded() -> None:
    async with a_house() as house:
        there = house.services.health
        away = replace(there, vectors=Away())  # type: ignore[arg-type] # only progress is asked
        report = await away()
        assert report.status == "degraded"
        assert report.parts["store"] == {"status": "failed", "code": "backend_unavailable"}
