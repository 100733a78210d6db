"""The server, RabbitMQ, Postgres and Redis die under traffic."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.chaos import api, servers, windows
from benchmarks.chaos.durable import durable_postgres
from benchmarks.chaos.storm import Storm
from tests.servers.keeper import installed_programs
from tests.servers.postgres import absent
from tests.servers.private import Private

from memweaver.adapters.memory.near import NearWindows
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.services.working import Working

SEED = 7


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(SEED)


@pytest.mark.requirement("D1", "D13")
async def test_what_a_killed_server_has_acknowledged_is_kept_once(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    found = await api.killed(tmp_path, 2, rng)

    assert found.clean, found
    assert found.acked >= 6


@pytest.mark.requirement("D1")
async def test_a_server_that_answers_before_it_commits_is_noticed(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    found = await api.killed(tmp_path, 2, rng, "answering_early")

    assert found.verdict.lost > 0, found


@pytest.mark.rabbitmq
@pytest.mark.requirement("D2", "D13")
async def test_a_killed_rabbitmq_delays_at_most(
    tmp_path: Path, rng: np.random.Generator, rabbitmq: Private
) -> None:
    found = await servers.rabbitmq_killed(tmp_path, Storm(30, strikes=1), rng, rabbitmq)

    assert found.clean, found


@pytest.mark.postgres
@pytest.mark.requirement("D13")
async def test_a_killed_postgres_loses_nothing(tmp_path: Path, rng: np.random.Generator) -> None:
    with durable_postgres(installed_programs() or absent("it is not installed")) as server:
        found = await servers.postgres_killed(tmp_path, Storm(30, strikes=1), rng, server)

    assert found.clean, found


@pytest.mark.redis
@pytest.mark.requirement("D13")
async def test_an_emptied_and_a_killed_redis_lose_nothing(tmp_path: Path, redis: Private) -> None:
    found = await windows.emptied(tmp_path, 2, redis)

    assert found.clean, found
    assert found.strikes == {"redis_flushes": 1, "redis_kills": 1}


@pytest.mark.redis
@pytest.mark.requirement("D13")
async def test_a_window_that_is_believed_though_it_is_old_is_noticed(
    tmp_path: Path, redis: Private, monkeypatch: pytest.MonkeyPatch
) -> None:
    first: dict[str, Window] = {}
    genuine = Working.__call__

    async def believing(working: Working, scope: Scope, session: str) -> Window:
        window = await genuine(working, scope, session)
        made_anew = isinstance(working.near, NearWindows)
        return window if made_anew else first.setdefault(scope.user, window)

    monkeypatch.setattr(Working, "__call__", believing)

    found = await windows.emptied(tmp_path, 3, redis)

    assert found.verdict.lost > 0, found
