"""Health: a store that does not answer is said, not hidden."""

from tests.unit.services.house import a_house

from memweaver.errors import BackendUnavailable
from memweaver.ports.vectors import Progress
from memweaver.services.health import Health


class Away:
    async def progress(self, model: str) -> Progress:
        raise BackendUnavailable(model)


async def test_all_is_well() -> None:
    async with a_house() as house:
        report = await house.services.health()
        assert report.status == "ok"
        assert report.parts["embedding"] == {"model": "words", "embedded": 0, "total": 0}


async def test_a_store_that_is_away_is_degraded() -> None:
    async with a_house() as house:
        there = house.services.health
        away = Health(Away(), there.embedder, there.index)  # type: ignore[arg-type] # only progress
        report = await away()
        assert report.status == "degraded"
        assert report.parts["store"] == {"status": "failed", "code": "backend_unavailable"}
