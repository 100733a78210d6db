"""The queue over SQL: looked up in indexes however long it is, not stopped by what is broken."""

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from sqlalchemy import Connection, Executable, Table, event, update
from tests.conformance.backends import Sqlite, database_behind

from memweaver.adapters.sql import job_schema, jobs, lanes, memories, schema, scoped, staging
from memweaver.domain.working import Window
from memweaver.ports.backend import Backend
from memweaver.testing.conformance.backend import ANN, a_turn, later
from memweaver.testing.conformance.queue import all_jobs, claimed, done, leave


@pytest.fixture
async def backend() -> AsyncGenerator[Backend]:
    async with Sqlite().open_backend() as backend:
        yield backend


def plan(connection: Connection, statement: Executable, **given: object) -> str:
    """How SQLite would go about a statement."""

    def explained(*asked: Any) -> tuple[str, Any]:
        _, _, statement, parameters, *_ = asked
        return f"EXPLAIN QUERY PLAN {statement}", parameters

    event.listen(connection, "before_cursor_execute", explained, retval=True)
    try:
        cursor = connection.execute(statement, given).cursor
        assert cursor is not None
        return "; ".join(step for *_, step in cursor.fetchall())
    finally:
        event.remove(connection, "before_cursor_execute", explained)


HOME = {"user": "ann", "attribute": b"blind"}
MINE = {"user": "ann", "ids": ["t1"], "of_batch": "t1"}


@pytest.mark.parametrize(
    ("statement", "given", "by"),
    [
        (lanes.NEXT, {"now": 0, "long_ago": 0}, "lanes_in_order"),
        (lanes.NEXT, {"now": 0, "long_ago": 0}, "lanes_by_wait (waits_since<?)"),
        (jobs.OLDEST, {"user": "ann", "batch": 8}, "jobs_unsettled (owner=?)"),
        (lanes.RECKON, {"user": "ann"}, "jobs_unsettled (owner=?)"),
        (jobs.RUN, MINE, "jobs_by_id (owner=? AND id=?)"),
        (staging.PART, MINE, "jobs_by_batch (owner=? AND batch=?)"),
        (memories.with_attribute(ANN), HOME, "memories_by_attribute (owner=? AND attribute=?)"),
        (jobs.COUNT, {}, "COVERING INDEX jobs_by_state"),
        (jobs.FIRST, {"state": "waiting"}, "jobs_by_state (state=?)"),
    ],
)
async def test_nothing_is_looked_through_or_sorted(
    backend: Backend, statement: Executable, given: dict[str, object], by: str
) -> None:
    await leave(backend, "t1")
    steps = await database_behind(backend).write(lambda c: plan(c, statement, **given))
    assert by in steps
    assert "SCAN jobs" not in steps
    assert "TEMP B-TREE" not in steps


async def test_a_plan_that_looks_through_all_is_noticed(backend: Backend) -> None:
    statement = scoped.everybodys(job_schema.jobs).order_by(job_schema.jobs.c.created_at)
    steps = await database_behind(backend).write(lambda c: plan(c, statement))
    assert "SCAN jobs" in steps
    assert "TEMP B-TREE" in steps


async def spoil(backend: Backend, table: Table) -> None:
    """Alter what is sealed in every row of a table."""
    await database_behind(backend).write(lambda c: c.execute(update(table).values(body=b"altered")))


async def test_a_staged_result_that_was_altered_is_made_again_and_stops_nobody(
    backend: Backend,
) -> None:
    await leave(backend, "t1", "t2")
    await backend.queue.stage(await claimed(backend, 1), "semantic", b"costly")
    await spoil(backend, job_schema.staged)
    again = await claimed(backend, 30)
    assert (len(again.jobs), again.staged) == (2, {})
    await done(backend, again)


async def test_a_window_that_was_altered_is_not_at_hand(backend: Backend) -> None:
    await backend.store.record([a_turn()])
    await backend.windows.keep(ANN, "default", Window((a_turn(),)))
    await spoil(backend, schema.windows)
    assert await backend.windows.window(ANN, "default") is None


async def test_sweeping_takes_as_many_transactions_as_it_needs(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "AT_A_TIME", 2)
    monkeypatch.setattr(
        jobs,
        "SWEEP",
        job_schema.jobs.delete().where(job_schema.jobs.c.number.in_(jobs.SWEPT.limit(2))),
    )
    await leave(backend, *(f"t{number}" for number in range(5)))
    await done(backend, await claimed(backend))
    assert await backend.queue.sweep(before=later(60)) == 5
    assert await all_jobs(backend) == []
