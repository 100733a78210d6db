"""The queue's tables are gone: turns are kept and become memories, and `/health` says so."""

import asyncio
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import URL, text
from tests.story.server import PATIENCE

from memweaver.adapters.sql import postgres, sqlite
from memweaver.app.server import build_server
from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.domain.job import State
from memweaver.domain.principal import EVERYTHING
from memweaver.domain.scope import Scope
from memweaver.services import Services

ANN = Scope("ann")


def said(words: str) -> dict[str, object]:
    return {"messages": [{"role": "user", "text": words}]}


def rename(url: URL, table: str, to: str) -> None:
    """Behind the program's back."""
    on_file = url.get_backend_name() == "sqlite"
    engine = sqlite.open_engine(url, writer=True) if on_file else postgres.open_engine(url)
    with engine.begin() as connection:
        connection.execute(text(f"ALTER TABLE {table} RENAME TO {to}"))
    engine.dispose()


def settings_for(url: URL, folder: Path) -> Settings:
    if url.get_backend_name() == "sqlite":
        return Settings(data=folder)
    store = {"kind": "postgres", "url": url.render_as_string(hide_password=False)}
    return Settings.model_validate({"data": folder, "store": store})


@contextmanager
def open_house(settings: Settings) -> Generator[tuple[TestClient, Services]]:
    opened: list[Services] = []

    @asynccontextmanager
    async def opening() -> AsyncGenerator[Services]:
        async with open_services(settings) as services:
            opened.append(services)
            yield services

    with TestClient(build_server(settings, opening()), base_url="http://localhost") as client:
        assert client.portal
        issue = partial(opened[0].access.create, "ann", "test", permissions=EVERYTHING)
        key = client.portal.call(issue)
        client.headers["Authorization"] = f"Bearer {key.secret}"
        yield client, opened[0]


async def settled(services: Services, job_id: str) -> State:
    async with asyncio.timeout(PATIENCE):
        while not (job := await services.jobs.job(ANN, job_id)).settled_at:  # noqa: ASYNC110 - a worker does it
            await asyncio.sleep(0.05)
    return job.state


def recalled(client: TestClient, query: str) -> dict[str, Any]:
    hits = client.post("/v1/recall", json={"query": query}).json()["hits"]
    return {hit["text"]: hit for hit in hits}


@pytest.mark.requirement("D12", "C11")
@pytest.mark.parametrize("table", ["jobs", "lanes"])
def test_without_a_queue_a_turn_becomes_a_memory_all_the_same(
    url: URL, tmp_path: Path, table: str
) -> None:
    with open_house(settings_for(url, tmp_path)) as (client, services):
        assert client.portal
        rename(url, table, "away")
        kept = client.post("/v1/turns", json=said("My name is Dana and I live in Lyon."))
        assert (kept.status_code, kept.json()["status"]) == (201, "processed")
        assert kept.json()["reflection"] is None
        assert "User lives in Lyon." in recalled(client, "Where does the user live?")
        health = client.get("/health")
        assert (health.status_code, health.json()["status"]) == (200, "degraded")
        assert health.json()["parts"]["queue"]["status"] == "failed"
        assert "memweaver_turns_unqueued_total 1.0" in client.get("/metrics").text

        rename(url, "away", table)
        kept = client.post("/v1/turns", json=said("I have a dog called Rex."))
        assert (kept.status_code, kept.json()["status"]) == (201, "queued")
        job = kept.json()["reflection"]
        assert client.portal.call(settled, services, job) is State.DONE
        assert client.get("/health").json()["status"] == "ok"
        page = client.get("/v1/memories").json()["items"]
        assert any("Rex" in memory["text"] for memory in page)
