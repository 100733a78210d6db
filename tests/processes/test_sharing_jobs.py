"""Workers in several processes on one queue: each job is done once, and in its order."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL
from tests.processes.starting import other_process

from memweaver.adapters.crypto import FileMasterKeys, open_cipher
from memweaver.adapters.sql import open_sql
from memweaver.domain.job import Depth, Priority
from memweaver.domain.scope import Scope
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import a_turn, ended, everything, later
from memweaver.testing.conformance.queue import leave

PROCESSES, WORKERS = 2, 2
USERS = [f"user {number}" for number in range(5)]
EARLY, LATE = 6, 6
"""Jobs of each user that wait when the workers begin, and that come while they work."""


async def record(backend: Backend, user: str, numbers: range) -> None:
    for number in numbers:
        await leave(backend, f"t{number}", scope=Scope(user), priority=Priority(number % 3 - 1))


async def disturb(backend: Backend, user: str) -> None:
    """All that else takes hold of a user's rows."""
    scope = Scope(user)
    for number in range(4):
        await backend.store.record([a_turn(f"quiet {number}", scope=scope)])
        await backend.store.erase_turn(scope, f"quiet {number}")
        await backend.queue.sweep(before=later(0))
        await backend.queue.depth()
    await ended(backend.vault.reseal(user))


async def come_and_go(backend: Backend) -> None:
    for _ in range(6):
        await leave(backend, "t0", scope=Scope("passing"), after=100)
        await backend.vault.destroy("passing")


@pytest.mark.requirement("D8", "D13")
async def test_each_job_is_done_once_and_in_its_order(url: URL, tmp_path: Path) -> None:
    keys = FileMasterKeys(tmp_path / "master.key")
    async with AsyncExitStack() as stack:
        here = await stack.enter_async_context(open_sql(url, open_cipher("aes-gcm"), keys))
        for user in USERS:
            await record(here, user, range(EARLY))
        others = [
            await stack.enter_async_context(other_process(url, tmp_path)) for _ in range(PROCESSES)
        ]
        async with asyncio.TaskGroup() as tasks:
            told = [tasks.create_task(one.ask("reflect_at_once", WORKERS)) for one in others]
            for user in USERS:
                tasks.create_task(record(here, user, range(EARLY, EARLY + LATE)))
                tasks.create_task(disturb(here, user))
            tasks.create_task(come_and_go(here))
        check([claim for task in told for claim in listed(task.result())])
        assert await here.queue.depth() == Depth(0, 0, 0, None)
        for user in USERS:
            assert len((await everything(here, user)).memories) == 1


def listed(told: Any) -> Sequence[Any]:
    return list(told)


def check(claims: Sequence[Any]) -> None:
    """That every job was settled once, in the order of recording, and one memory came of all."""
    theirs = defaultdict[str, list[tuple[int, list[str], int]]](list)
    for user, fence, names, added in claims:
        theirs[user].append((fence, names, added))
    assert sorted(theirs) == USERS
    for claimed in theirs.values():
        in_order = sorted(claimed)
        assert [name for _, names, _ in in_order for name in names] == [
            f"t{number}" for number in range(EARLY + LATE)
        ]
        assert sum(added for *_, added in in_order) == 1
