"""What is erased, and who is destroyed, leaves the rows at once, whoever does it."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from sqlalchemy import Engine, text
from tests.unit.adapters.pgvector.conftest import DIMENSIONS
from tests.unit.adapters.pgvector.house import MODEL, NOON, a_turn, an_index
from tests.unit.adapters.shard.house import Wrapped

from memweaver.adapters.memory import MemoryMasterKeys, open_memory
from memweaver.adapters.pgvector.index import PgvectorIndex
from memweaver.app.found import Around
from memweaver.app.opening import Minds
from memweaver.app.settings import Settings
from memweaver.app.wiring import build_services
from memweaver.domain.memory import Draft
from memweaver.domain.scope import Scope
from memweaver.errors import Unreadable
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Delta
from memweaver.services import Services
from memweaver.testing.doubles import HashEmbedder, StoppedClock
from memweaver.testing.minds import LastWords, ScriptedExtractor

pytestmark = pytest.mark.postgres

USERS = [f"user {number:02}" for number in range(45)]
LAST = Scope(USERS[-1])
ROWS = text("SELECT kind, id FROM memory_associative WHERE owner = :owner ORDER BY id")
STATES = text("SELECT count(*) FROM memory_associative_users WHERE owner = :owner")


@asynccontextmanager
async def opened(url: str, backend: Backend) -> AsyncGenerator[Services]:
    """As a process of its own would: nothing is known from before, nothing runs beside."""
    async with an_index(url, backend.changes) as index:
        yield build_services(
            Settings(),
            clock=StoppedClock(NOON, timedelta(seconds=1)),
            master_keys=MemoryMasterKeys(),
            backend=backend,
            embedder=HashEmbedder(DIMENSIONS, MODEL),
            index=index,
            minds=Minds(ScriptedExtractor(), None, LastWords()),
            around=Around(),
        )


def rows(engine: Engine, owner: str) -> Sequence[tuple[str, str]]:
    with engine.begin() as connection:
        return [(row.kind, row.id) for row in connection.execute(ROWS, {"owner": owner})]


async def fill(url: str, backend: Backend) -> str:
    """Give everybody a turn in the index, and the last one a memory more, whose id it returns."""
    async with opened(url, backend) as services:
        await backend.store.record([a_turn("t1", "The cancer came back", user=u) for u in USERS])
        memory = await services.curate.add(LAST, Draft("Has an appointment"))
        for user in USERS:
            await services.recall(Scope(user), "appointment")
    return memory.id


async def erase_and_destroy(url: str, engine: Engine) -> list[Sequence[tuple[str, str]]]:
    """The rows of the last user before and after each step, taken by somebody new each time."""
    async with open_memory() as backend:
        memory = await fill(url, backend)
        seen = [rows(engine, LAST.user)]
        async with opened(url, backend) as services:
            await services.curate.erase(LAST, memory)
            seen.append(rows(engine, LAST.user))
        async with opened(url, backend) as services:
            await services.curate.add(LAST, Draft("Waits for a call"))
            await services.curate.erase_turn(LAST, "t1")
            seen.append(rows(engine, LAST.user))
        async with opened(url, backend) as services:
            await services.keys.destroy(LAST.user)
            seen.append(rows(engine, LAST.user))
        assert rows(engine, USERS[0]) == [("turn", "t1")]
    return seen


@pytest.mark.requirement("C8")
async def test_among_many_users_nothing_erased_and_nobody_destroyed_is_left(
    url: str, engine: Engine
) -> None:
    before, erased, both, destroyed = await erase_and_destroy(url, engine)
    assert len(before) == 2
    assert erased == [("turn", "t1")]
    assert [kind for kind, _ in both] == ["memory"]
    assert destroyed == []
    with engine.begin() as connection:
        assert connection.scalar(STATES, {"owner": LAST.user}) == 0


async def test_an_index_that_is_not_told_would_keep_it(
    url: str, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deaf(index: PgvectorIndex, user: str) -> None:
        """Goes on as before."""

    monkeypatch.setattr(PgvectorIndex, "erased", deaf)
    before, *later = await erase_and_destroy(url, engine)
    assert later == [before, before, before]


async def test_rows_that_nobody_counts_go_with_their_user(url: str, engine: Engine) -> None:
    async with open_memory() as backend, an_index(url, backend.changes) as index:
        await backend.store.record([a_turn("t1", "Oslo")])
        await index.open(Scope("ann"))
        with engine.begin() as connection:
            connection.execute(text("DELETE FROM memory_associative_users"))
        await backend.vault.destroy("ann")
        await index.erased("ann")
    assert rows(engine, "ann") == []


class Damaged(Wrapped):
    """Has a record that does not open."""

    damaged = False

    async def since(self, user: str, after: int, upto: int) -> Delta:
        if self.damaged:
            raise Unreadable("this record does not open")
        return await super().since(user, after, upto)


async def test_what_is_erased_goes_though_another_record_does_not_open(
    url: str, engine: Engine
) -> None:
    async with open_memory() as backend:
        changes = Damaged(backend.changes)
        async with an_index(url, changes) as index:
            await backend.store.record([a_turn("t1", "Oslo"), a_turn("t2", "Rome")])
            await index.open(Scope("ann"))
            changes.damaged = True
            await backend.store.erase_turn(Scope("ann"), "t1")
            await index.erased("ann")
            assert rows(engine, "ann") == []
            changes.damaged = False
            await index.open(Scope("ann"))
    assert rows(engine, "ann") == [("turn", "t2")]
