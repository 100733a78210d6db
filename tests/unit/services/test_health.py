"""Health: a part that does not answer is said, not hidden."""

from dataclasses import replace
from datetime import timedelta

import pytest
from tests.unit.services.house import ANN, a_house
from tests.unit.services.queued import NotedBell, QueueAway, queued

from memweaver.domain.memory import Draft
from memweaver.errors import BackendUnavailable
from memweaver.ports.vectors import Progress

AWAY = {"status": "failed", "code": "backend_unavailable"}


class Away:
    async def progress(self, model: str) -> Progress:
        raise BackendUnavailable(model)


async def test_all_is_well() -> None:
    async with a_house() as house:
        report = await house.services.health()
        assert (report.status, report.serving) == ("ok", True)
        assert report.parts["embedding"] == {"model": "words", "embedded": 1.0}
        assert report.parts["doorbell"] == {"status": "ok"}


async def test_how_far_embedding_is_is_told_as_a_share() -> None:
    async with a_house() as house:
        await house.services.curate.add(ANN, Draft("Likes tea"))
        assert (await house.services.health()).parts["embedding"]["embedded"] == 0.0
        await house.services.embed.settled()
        assert (await house.services.health()).parts["embedding"]["embedded"] == 1.0


async def test_a_store_that_is_away_is_degraded_and_serves_nobody() -> None:
    async with a_house() as house:
        there = house.services.health
        away = replace(there, vectors=Away())  # type: ignore[arg-type] # only progress is asked
        report = await away()
        assert (report.status, report.serving) == ("degraded", False)
        assert report.parts["store"] == AWAY


async def test_requests_are_welcome_until_the_store_is_away_or_the_process_stops() -> None:
    async with a_house() as house:
        there = house.services.health
        away = replace(there, vectors=Away())  # type: ignore[arg-type] # only progress is asked
        assert await there.ready() is None
        assert await away.ready() == "backend_unavailable"
        there.leaving.begin()
        assert await there.ready() == "stopping"
        assert await away.ready() == "stopping"


@pytest.mark.requirement("D11")
async def test_how_much_waits_and_for_how_long_is_told() -> None:
    async with a_house() as house, queued() as jobs:
        await jobs.waiting("ann", "one", "two")
        await jobs.dead("ben", "three")
        jobs.clock.advance(timedelta(seconds=12))
        health = replace(house.services.health, queue=jobs.queue, clock=jobs.clock)
        report = await health()
        assert report.status == "ok"
        assert report.parts["queue"] == {
            "status": "ok",
            "waiting": 2,
            "running": 0,
            "dead": 1,
            "oldest_seconds": 12.0,
        }


@pytest.mark.requirement("D11")
async def test_a_queue_that_cannot_be_read_is_degraded_but_serves() -> None:
    async with a_house() as house:
        there = house.services.health
        away = replace(there, queue=QueueAway())  # type: ignore[arg-type] # only depth is asked
        report = await away()
        assert (report.status, report.serving) == ("degraded", True)
        assert report.parts["queue"] == AWAY


@pytest.mark.requirement("D11", "D12")
async def test_a_queue_that_cannot_be_written_is_degraded_but_serves() -> None:
    async with a_house() as house:
        house.services.record.unqueued.trouble = "queue_unavailable"
        report = await house.services.health()
        assert (report.status, report.serving) == ("degraded", True)
        assert report.parts["queue"]["code"] == "queue_unavailable"
        assert report.parts["queue"]["waiting"] == 0


class Unreachable:
    trouble = "backend_unavailable"


async def test_working_memory_in_trouble_is_degraded_but_serves() -> None:
    async with a_house() as house:
        report = await replace(house.services.health, windows=Unreachable())()
        assert (report.status, report.serving) == ("degraded", True)
        assert report.parts["working"] == AWAY


@pytest.mark.requirement("D12")
async def test_a_doorbell_in_trouble_is_degraded_but_serves() -> None:
    async with a_house() as house:
        report = await replace(house.services.health, doorbell=NotedBell("backend_unavailable"))()
        assert (report.status, report.serving) == ("degraded", True)
        assert report.parts["doorbell"] == AWAY
