"""Webhooks over SQL: what cannot be opened, or is forgotten meanwhile, stops nobody else's."""

from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from sqlalchemy import Connection, Engine, Select, event, update
from tests.conformance.backends import Sqlite, database_behind

from memweaver.adapters.sql.house_schema import events, webhooks
from memweaver.domain.event import EventKind
from memweaver.domain.webhook import Webhook
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import ANN, ANN_AT_WORK, BOB, a_turn
from memweaver.testing.conformance.webhooks import a_webhook, due, give_up, ids, leased, lost


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


async def test_one_that_cannot_be_opened_is_listed_and_removed(backend: Backend) -> None:
    spoilt, sound = a_webhook("spoilt", ANN_AT_WORK), a_webhook("sound", after=1)
    for hook in (spoilt, sound):
        await backend.webhooks.add(hook)
    await sealed_as(backend, "spoilt", b"\x01altered")
    marked = Webhook("spoilt", ANN_AT_WORK, "", "", spoilt.created_at, unreadable=True)
    assert await backend.webhooks.webhooks("ann") == [marked, sound]
    assert await backend.webhooks.given_up("ann", "spoilt") == []
    await backend.webhooks.remove("ann", "spoilt")
    assert await backend.webhooks.webhooks("ann") == [sound]


async def test_one_that_cannot_be_opened_gives_up_all_that_is_old(backend: Backend) -> None:
    await backend.webhooks.add(replace(a_webhook("spoilt"), kinds=frozenset({EventKind.JOB_DEAD})))
    await backend.webhooks.add(a_webhook("sound", BOB))
    await backend.store.record([a_turn("t1"), a_turn("t2", scope=BOB)])
    await sealed_as(backend, "spoilt", b"\x01altered")
    await give_up(backend, before=5)
    assert await lost(backend, "spoilt") == ["t1"]
    assert len(await backend.webhooks.given_up("bob", "sound")) == 1


async def test_many_are_given_up_some_at_a_time(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memweaver.adapters.sql.webhooks.AT_A_TIME", 2)
    await backend.webhooks.add(a_webhook())
    await backend.store.record([a_turn(f"t{number}") for number in range(5)])
    await give_up(backend, before=5)
    assert await lost(backend, "w1") == ["t4", "t3", "t2", "t1", "t0"]


@contextmanager
def forgotten_before_they_are_read() -> Generator[None]:
    """As on Postgres, where others may delete between two statements of one transaction."""

    def forget(connection: Connection, statement: object, *_: object) -> None:
        if isinstance(statement, Select) and statement.get_final_froms() == [events]:
            connection.exec_driver_sql("DELETE FROM events WHERE owner = 'ann'")

    event.listen(Engine, "before_execute", forget)
    yield
    event.remove(Engine, "before_execute", forget)


async def test_one_whose_events_are_forgotten_meanwhile_goes_on_behind_them(
    backend: Backend,
) -> None:
    await backend.webhooks.add(a_webhook("hers", ANN))
    await backend.webhooks.add(a_webhook("his", BOB, after=1))
    await backend.store.record([a_turn("t1"), a_turn("t2", scope=BOB)])
    with forgotten_before_they_are_read():
        found = await leased(backend)
    assert (found.webhook.id, ids(found)) == ("his", ["t2"])
    await backend.store.record([a_turn("t3")])
    found = await leased(backend)
    assert (found.webhook.id, ids(found)) == ("hers", ["t3"])


async def test_what_is_forgotten_before_it_is_given_up_stops_nobody(backend: Backend) -> None:
    await backend.webhooks.add(a_webhook())
    await backend.store.record([a_turn()])
    with forgotten_before_they_are_read():
        await give_up(backend, before=5)
    assert await lost(backend, "w1") == []
