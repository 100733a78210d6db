"""Two real processes on one database: each sees at once what the other did."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from sqlalchemy import URL
from tests.conformance.backends import keys_service
from tests.processes.starting import OtherProcess, other_process

from memweaver.adapters.crypto import FileMasterKeys, open_cipher
from memweaver.adapters.sql import open_sql
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import ANN, BOB, a_turn, ended, everything, stamp_of


@pytest.fixture
def keys(tmp_path: Path) -> FileMasterKeys:
    return FileMasterKeys(tmp_path / "master.key")


@pytest.fixture
async def here(url: URL, keys: FileMasterKeys) -> AsyncGenerator[Backend]:
    async with open_sql(url, open_cipher("aes-gcm"), keys) as backend:
        yield backend


@pytest.fixture
async def other(url: URL, tmp_path: Path) -> AsyncGenerator[OtherProcess]:
    async with other_process(url, tmp_path) as other:
        yield other


async def test_what_one_commits_the_other_sees_at_once(here: Backend, other: OtherProcess) -> None:
    assert await other.ask("stamp") is None
    for number in range(10):
        await here.store.record([a_turn(f"here {number}", text=f"said {number}")])
        stamp = await stamp_of(here)
        assert await other.ask("stamp") == [stamp.epoch, stamp.version]
        assert await other.ask("read", f"here {number}") == f"said {number}"
        assert await other.ask("record", f"there {number}:", 1) == 1
        assert (await stamp_of(here)).version == stamp.version + 1
        assert (await here.store.turn(ANN, f"there {number}:0")).id == f"there {number}:0"


async def test_when_both_write_at_once_nothing_is_lost(here: Backend, other: OtherProcess) -> None:
    turns = [a_turn(f"here {number}") for number in range(40)]
    async with asyncio.TaskGroup() as tasks:
        there = tasks.create_task(other.ask("record_at_once", "there ", 40))
        for turn in turns:
            tasks.create_task(here.store.record([turn]))
    assert there.result() == 40
    told = (await everything(here)).turns
    assert len({turn.id for turn in told}) == len(told) == 80
    assert (await stamp_of(here)).version == 80


async def test_who_holds_an_old_key_notices_a_new_one(here: Backend, other: OtherProcess) -> None:
    await here.store.record([a_turn("before", text="still readable")])
    assert await other.ask("read", "before") == "still readable"
    await ended(here.vault.reseal("ann"))
    assert await other.ask("read", "before") == "still readable"
    assert await other.ask("record", "after ", 1) == 1
    assert (await here.store.turn(ANN, "after 0")).id == "after 0"
    await ended(here.vault.reseal("ann"))
    assert len((await everything(here)).turns) == 2


async def test_who_holds_an_old_master_key_notices_a_new_one(
    here: Backend, other: OtherProcess, keys: FileMasterKeys
) -> None:
    await here.store.record([a_turn("before", text="still readable")])
    assert await other.ask("read", "before") == "still readable"
    for _ in range(2):
        await ended(keys_service(keys, here).rotate_master())
        assert await other.ask("read", "before") == "still readable"
        await ended(here.vault.reseal("ann"))
        assert await other.ask("read", "before") == "still readable"


async def test_a_user_begun_during_a_rotation_is_never_lost(
    here: Backend, other: OtherProcess, keys: FileMasterKeys
) -> None:
    async with asyncio.TaskGroup() as tasks:
        there = tasks.create_task(other.ask("record_at_once", "there ", 60))
        for _ in range(3):
            await ended(keys_service(keys, here).rotate_master())
            await here.vault.destroy("ann")
    assert there.result() == 60
    for turn in (await everything(here)).turns:
        assert await here.store.turn(ANN, turn.id) == a_turn(turn.id)


async def test_others_read_and_write_while_keys_are_renewed(
    here: Backend, other: OtherProcess, keys: FileMasterKeys
) -> None:
    await here.store.record([a_turn("before"), a_turn("before", scope=BOB)])
    async with asyncio.TaskGroup() as tasks:
        deeds = [tasks.create_task(other.ask("record", "during ", 60))]
        for _ in range(4):
            await ended(here.vault.reseal("ann"))
            await ended(keys_service(keys, here).rotate_master())
    assert deeds[0].result() == 60
    assert await other.ask("read_many", "during 59", 5) == 5
    assert len((await everything(here)).turns) == 61


async def test_what_was_answered_survives_a_kill(here: Backend, other: OtherProcess) -> None:
    await other.tell("record_aloud")
    told = [await other.line() for _ in range(25)]
    await other.kill()
    kept = [turn.id for turn in (await everything(here)).turns]
    assert kept[:25] == told

    await here.store.record([a_turn("after")])


async def test_who_was_destroyed_by_one_is_gone_for_the_other(
    here: Backend, other: OtherProcess
) -> None:
    await here.store.record([a_turn("before")])
    before = await stamp_of(here)
    assert await other.ask("read", "before") == "I moved to Oslo"
    await here.vault.destroy("ann")
    assert await other.ask("stamp") is None
    assert await other.ask("read", "before") == {"error": "not_found"}
    assert await other.ask("record", "anew ", 1) == 1
    assert (await stamp_of(here)).epoch != before.epoch
    assert (await here.store.turn(ANN, "anew 0")).id == "anew 0"
