"""Webhooks over SQL: one that cannot be opened stops nobody else's."""

from collections.abc import AsyncGenerator

import pytest
from sqlalchemy import update
from tests.conformance.backends import Sqlite, database_behind

from memweaver.adapters.sql.house_schema import webhooks
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import ANN, BOB, a_turn
from memweaver.testing.conformance.webhooks import a_webhook, due, ids, leased


@pytest.fixture
async def backend() -> AsyncGenerator[Backend]:
    async with Sqlite().open_backend() as backend:
        yield backend


async def sealed_as(backend: Backend, name: str, body: bytes) -> None:
    other = update(webhooks).where(webhooks.c.id == name).values(body=body)
    await database_behind(backend).write(lambda c: c.execute(other).close())


async def test_one_that_was_altered_waits_alone(
    backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    await backend.webhooks.add(a_webhook("spoilt", ANN))
    await backend.webhooks.add(a_webhook("sound", BOB, after=1))
    await backend.store.record([a_turn("hers"), a_turn("his", scope=BOB)])
    await sealed_as(backend, "spoilt", b"\x01altered")
    found = await leased(backend)
    assert (found.webhook.id, ids(found)) == ("sound", ["his"])
    assert await due(backend, 2) is None
    [said] = [vars(record) for record in caplog.records]
    assert (said["action"], said["webhook"]) == ("webhook_unreadable", "spoilt")
    assert (await leased(backend, 61)).webhook.id == "sound"


async def test_one_that_can_be_opened_again_is_told_all(backend: Backend) -> None:
    await backend.webhooks.add(a_webhook())
    await backend.store.record([a_turn("t1")])
    kept = await database_behind(backend).read(lambda c: c.execute(webhooks.select()).one())
    await sealed_as(backend, "w1", b"\x01altered")
    assert await due(backend) is None
    await sealed_as(backend, "w1", kept.body)
    assert ids(await leased(backend, 61)) == ["t1"]
