"""Forgetting all of somebody: no tier, no queue and no table keeps anything of theirs."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import URL, Connection, func, select
from tests.conformance.backends import database_behind, keys_service, some_value

from memweaver.adapters.crypto import FileMasterKeys, open_cipher
from memweaver.adapters.sql import open_sql, vault
from memweaver.adapters.sql.house_schema import (
    access_keys,
    accounts,
    deliveries,
    events,
    replies,
    secrets,
    sessions,
    webhooks,
)
from memweaver.adapters.sql.job_schema import jobs
from memweaver.adapters.sql.schema import OWNED, metadata
from memweaver.domain.memory import Tier, Validity
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Segment
from memweaver.ports.registry import Ai
from memweaver.testing.conformance.backend import (
    ANN,
    BOB,
    NOON,
    a_memory,
    a_turn,
    later,
    stamp_of,
    turn_ref,
    vectors_for,
)
from memweaver.testing.conformance.queue import BROKEN, claimed, done, leave

HOUSE = (access_keys, accounts, secrets)
"""What lets people in is not what is remembered of them."""


async def fill(backend: Backend, scope: Scope) -> None:
    """Something in every tier, a job in every state, and all that is derived from them."""
    user = scope.user
    await backend.store.record([a_turn("gone", scope=scope)])
    await backend.store.erase_turn(scope, "gone")
    memories = [a_memory(tier, scope=scope, tier=tier, key=tier) for tier in Tier]
    await backend.store.add(memories)
    known = memories[0]
    await backend.store.revise(replace(known, revision=2, validity=Validity(later(5))))
    await fill_queue(backend, scope)
    await backend.vectors.keep_vectors(user, [vectors_for(turn_ref("done"), 1)])
    await backend.windows.keep(scope, "default", Window(summary="moved", upto="done"))
    await backend.registry.register(Ai(user, "work", "Athena", NOON))
    segment = Segment(0, 1, b"prepared")
    assert await backend.changes.keep_segment(user, await stamp_of(backend, user), segment)


async def fill_queue(backend: Backend, scope: Scope) -> None:
    user = scope.user
    await leave(backend, "done", scope=scope)
    await done(backend, await claimed(backend, user=user))
    await leave(backend, "dead", scope=scope)
    dead = await claimed(backend, user=user)
    await backend.queue.fail(dead, BROKEN, now=later(2), retry_at=None)
    await leave(backend, "running", scope=scope)
    await backend.queue.stage(await claimed(backend, user=user), "semantic", b"costly")
    await leave(backend, "waiting", scope=scope)


def put_aside(connection: Connection, user: str) -> None:
    """A row in each table of the service, whatever it may mean."""
    for table in (sessions, replies, events, webhooks, deliveries):
        given = [column for column in table.c if column.name not in {"owner", "number"}]
        row = {column.name: some_value(column) for column in given}
        connection.execute(table.insert(), {"owner": user, **row})


def rows_of(connection: Connection, user: str) -> Mapping[str, int]:
    """How many rows of `user` each table has."""
    owned = [it for it in metadata.sorted_tables if "owner" in it.c and it not in HOUSE]
    count = select(func.count())
    return {
        table.name: connection.execute(
            count.select_from(table).where(table.c.owner == user)
        ).scalar_one()
        for table in owned
    }


async def left(url: URL, folder: Path) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """What is there of somebody before and after all of it was forgotten."""
    keys = FileMasterKeys(folder / "master.key")
    async with open_sql(url, open_cipher("aes-gcm"), keys) as backend:
        database = database_behind(backend)
        for scope in (ANN, BOB):
            await fill(backend, scope)
            await database.write(partial(put_aside, user=scope.user))
        before = await database.read(lambda c: rows_of(c, "ann"))
        others = await database.read(lambda c: rows_of(c, "bob"))
        await keys_service(keys, backend).destroy("ann")
        assert await database.read(lambda c: rows_of(c, "bob")) == others
        return before, await database.read(lambda c: rows_of(c, "ann"))


@pytest.mark.requirement("C21", "X3")
async def test_no_tier_no_queue_and_no_table_keeps_anything(url: URL, tmp_path: Path) -> None:
    before, after = await left(url, tmp_path)
    assert [table for table, rows in before.items() if not rows] == []
    assert [table for table, rows in after.items() if rows] == []


async def test_a_queue_that_is_forgotten_by_the_forgetting_is_noticed(
    url: URL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vault, "OWNED", [table for table in OWNED if table is not jobs])
    _, after = await left(url, tmp_path)
    assert [table for table, rows in after.items() if rows] == ["jobs"]
