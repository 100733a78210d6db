"""Who has a lane never waits for its user: otherwise two could wait for each other for ever."""

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

import anyio
import pytest
from sqlalchemy import URL, make_url, select, text
from tests.conformance.backends import emptied_database
from tests.servers.postgres import Postgres

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.adapters.sql import job_schema, open_sql, schema
from memweaver.adapters.sql.postgres import open_engine
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import a_turn, later
from memweaver.testing.conformance.queue import BROKEN, claimed, leave, next_claim

pytestmark = pytest.mark.postgres

PATIENCE = 10


@contextmanager
def holding_everybody(url: URL) -> Generator[None]:
    """Somebody else has locked all users."""
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(select(schema.users.c.owner).with_for_update())
        yield
    engine.dispose()


async def take_over(backend: Backend) -> None:
    """Changes a row twice: the jobs of a lost lease wait, then run again."""
    await claimed(backend, 30)


async def beat(backend: Backend) -> None:
    await backend.queue.heartbeat(await claimed(backend, 30), until=later(90))


async def release(backend: Backend) -> None:
    await backend.queue.release(await claimed(backend, 30))


async def retry(backend: Backend) -> None:
    await backend.queue.retry("ann", "dead", now=later(32))


async def retry_all(backend: Backend) -> None:
    assert len(await backend.queue.retry_all("ann", now=later(32))) == 1


async def sweep(backend: Backend) -> None:
    await backend.queue.sweep(before=later(99))


@pytest.mark.parametrize("deed", [take_over, beat, release, retry, retry_all, sweep])
async def test_with_its_user_locked_a_lane_moves_on(
    postgres: Postgres, deed: Callable[[Backend], Awaitable[None]]
) -> None:
    url = emptied_database(postgres)
    async with open_sql(url, open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await leave(backend, "dead")
        await backend.queue.fail(await claimed(backend), BROKEN, now=later(1), retry_at=None)
        await leave(backend, "t1", "t2")
        await backend.queue.stage(await claimed(backend, 1), "semantic", b"costly")
        with holding_everybody(url), anyio.fail_after(PATIENCE):
            await deed(backend)


async def test_whoever_tells_of_an_attempt_waits_for_its_user(postgres: Postgres) -> None:
    """The end of an attempt is an event, and a user's events are told in their order."""
    url = emptied_database(postgres)
    async with open_sql(url, open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await leave(backend, "t1")
        claim = await claimed(backend)
        with holding_everybody(url), anyio.move_on_after(0.5) as waited:
            await backend.queue.fail(claim, BROKEN, now=later(1), retry_at=later(40))
        assert waited.cancelled_caught


async def test_a_reference_from_jobs_to_users_would_make_a_lane_wait(postgres: Postgres) -> None:
    url = make_url(postgres.url(postgres.new_database()))
    async with open_sql(url, open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        engine = open_engine(url)
        with engine.begin() as connection:
            connection.execute(text("ALTER TABLE jobs ADD FOREIGN KEY (owner) REFERENCES users"))
        engine.dispose()
        await leave(backend, "t1")
        await claimed(backend, 1)
        with holding_everybody(url), anyio.move_on_after(1) as waited:
            await take_over(backend)
        assert waited.cancelled_caught


async def test_a_write_that_needs_the_user_waits(postgres: Postgres) -> None:
    """So the lock above is one that others feel."""
    url = emptied_database(postgres)
    async with open_sql(url, open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await leave(backend, "t1")
        with holding_everybody(url), anyio.move_on_after(0.5) as waited:
            await backend.store.record([a_turn("t2")])
        assert waited.cancelled_caught


async def test_a_lane_in_use_is_passed_over(postgres: Postgres) -> None:
    url = emptied_database(postgres)
    async with open_sql(url, open_cipher("aes-gcm"), MemoryMasterKeys()) as backend:
        await leave(backend, "t1")
        engine = open_engine(url)
        with engine.begin() as connection, anyio.fail_after(PATIENCE):
            connection.execute(select(job_schema.lanes.c.owner).with_for_update())
            assert await next_claim(backend) is None
        engine.dispose()
        assert await next_claim(backend) is not None
