"""What is told in Postgres, and to whom; and addresses that cannot be."""

import logging
import sys
from traceback import format_exception

import psycopg
import pytest
from tests.servers.postgres import Postgres
from tests.servers.programs import free_port

from memweaver.adapters.postgres_bell import open_postgres_bell
from memweaver.errors import ConfigurationError
from memweaver.testing.conformance.doorbell import LONG, SHORT, a_job, eventually


@pytest.mark.postgres
@pytest.mark.requirement("D8")
async def test_operators_may_listen_for_dead_jobs(postgres: Postgres) -> None:
    url = postgres.url(postgres.new_database())
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as operator:
        await operator.execute("LISTEN memweaver_dead")
        async with open_postgres_bell(url) as bell:
            await bell.toll([a_job("j1"), a_job("j2")])
        told = [one.payload async for one in operator.notifies(timeout=LONG, stop_after=2)]
    assert sorted(told) == ["j1", "j2"]


@pytest.mark.postgres
async def test_a_bell_tells_nothing_but_that_it_rings(postgres: Postgres) -> None:
    url = postgres.url(postgres.new_database())
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as other:
        await other.execute("LISTEN memweaver_jobs")
        async with open_postgres_bell(url) as bell:
            await bell.ring([a_job(user="ann")])
        told = [one.payload async for one in other.notifies(timeout=LONG, stop_after=1)]
    assert told == [""]


@pytest.mark.postgres
async def test_whatever_somebody_else_tells_wakes_and_does_nothing_else(
    postgres: Postgres,
) -> None:
    url = postgres.url(postgres.new_database())
    async with (
        open_postgres_bell(url) as bell,
        await psycopg.AsyncConnection.connect(url, autocommit=True) as other,
    ):
        while not await bell.heard(SHORT):
            await other.execute("SELECT pg_notify('memweaver_jobs', repeat('{', 7999))")
        assert bell.trouble is None


@pytest.mark.postgres
async def test_another_database_is_another_door(postgres: Postgres) -> None:
    here, there = (postgres.url(postgres.new_database()) for _ in range(2))
    async with open_postgres_bell(here) as bell, open_postgres_bell(there) as other:
        while not await bell.heard(SHORT):
            await bell.ring([a_job()])
        await other.ring([a_job()])
        assert not await bell.heard(SHORT)


@pytest.mark.postgres
async def test_a_url_may_name_the_driver(postgres: Postgres) -> None:
    url = postgres.url("postgres").replace("postgresql://", "postgresql+psycopg://")
    async with open_postgres_bell(url) as bell:
        while not await bell.heard(SHORT):
            await bell.ring([a_job()])


@pytest.mark.parametrize("url", ["canary-password", "mysql://u:canary-password@host/x"])
async def test_a_url_that_cannot_be_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(ConfigurationError, match="postgresql://") as caught:
        await opened(url)
    assert "canary" not in "".join(format_exception(caught.value))


async def test_no_log_line_holds_the_password(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with open_postgres_bell(
        f"postgresql://ann:canary-password@127.0.0.1:{free_port()}/x"
    ) as bell:
        await eventually(lambda: bell.trouble is not None)
    assert "out of order" in caplog.text
    assert "canary" not in caplog.text


async def test_without_its_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "memweaver.adapters.postgres_bell.opening", None)
    with pytest.raises(ConfigurationError, match=r"memweaver\[postgres\]"):
        await opened("postgresql://127.0.0.1/x")


async def opened(url: str) -> None:
    async with open_postgres_bell(url):
        pass
