"""RabbitMQ and Redis that are named but dead: everything goes on, and `/health` says so."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from memweaver.app.server import build_server
from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.job import State
from memweaver.domain.scope import Scope
from memweaver.services import Services
from memweaver.services.health import Report

ANN = Scope("ann")
MOVED = Said((Message(Role.USER, "My sister Ada moved to Lisbon."),), "monday")
NOBODY = "127.0.0.1:9"
PATIENCE = 60


def settings(folder: Path, **sections: Any) -> Settings:
    return Settings.model_validate({"data": folder, **sections})


async def reflected(services: Services) -> State:
    """Record a turn; how its reflection ended."""
    turn = await services.record(ANN, MOVED)
    async with asyncio.timeout(PATIENCE):
        while not (job := await services.jobs.job(ANN, turn.id)).settled_at:  # noqa: ASYNC110 - a worker does it
            await asyncio.sleep(0.05)
    return job.state


async def degraded(services: Services, part: str) -> Report:
    """The report that says so; a connection takes a moment to fail."""
    async with asyncio.timeout(PATIENCE):
        while (report := await services.health()).parts[part] == {"status": "ok"}:  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.05)
    return report


@pytest.mark.requirement("D8", "D12", "X6")
async def test_without_rabbitmq_workers_look_by_themselves(tmp_path: Path) -> None:
    away = settings(tmp_path, rabbitmq={"url": f"amqp://guest:guest@{NOBODY}/"})
    async with open_services(away) as services:
        assert await reflected(services) is State.DONE
        report = await degraded(services, "doorbell")

    assert (report.status, report.serving) == ("degraded", True)
    assert report.parts["doorbell"]["status"] == "failed"


async def test_without_redis_working_memory_is_read_from_the_store(tmp_path: Path) -> None:
    away = settings(tmp_path, redis={"url": f"redis://{NOBODY}/0"})
    async with open_services(away) as services:
        assert await reflected(services) is State.DONE
        window = await services.working(ANN, "monday")
        report = await services.health()

    assert [turn.messages for turn in window.turns] == [MOVED.messages]
    assert (report.status, report.serving) == ("degraded", True)
    assert report.parts["working"] == {"status": "failed", "code": "backend_unavailable"}


@pytest.mark.requirement("D12")
def test_a_server_that_is_degraded_but_serves_says_200(tmp_path: Path) -> None:
    away = settings(tmp_path, rabbitmq={"url": f"amqp://guest:guest@{NOBODY}/"})
    opened: list[Services] = []

    @asynccontextmanager
    async def opening() -> AsyncGenerator[Services]:
        async with open_services(away) as services:
            opened.append(services)
            yield services

    with TestClient(build_server(away, opening()), base_url="http://localhost") as client:
        assert client.portal
        client.portal.call(degraded, opened[0], "doorbell")
        answer = client.get("/health")

    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
