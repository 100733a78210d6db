"""The queue over SQL: looked up in indexes however long it is, not stopped by what is broken."""

import asyncio
from collections.abc import AsyncGenerator
from threading import current_thread
from typing import Any

import pytest
from sqlalchemy import Connection, Executable, Table, event, update
from tests.conformance.backends import Sqlite, database_behind

from memweaver.adapters.sql import (
    job_schema,
    jobs,
    lanes,
    memories,
    queue,
    schema,
    scoped,
    staging,
    vectors,
)
from memweaver.adapters.sql.vectors import SqlVectors
from memweaver.domain.working import Window
from memweaver.errors import BackendUnavailable
from memweaver.ports.backend import Backend
from memweaver.ports.queue import Effects
from memweaver.testing.conformance.backend import (
    ANN,
    a_memory,
    a_turn,
    later,
    turn_ref,
    vectors_for,
)
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


WRITER = "memweaver-writer"
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


def threads_of(monkeypatch: pytest.MonkeyPatch, *works: tuple[Any, str]) -> list[str]:
    """Where each of these works will have been run."""
    runs = list[str]()

    def noting(work: Any) -> Any:
        def noted(*given: Any, **more: Any) -> Any:
            runs.append(current_thread().name)
            return work(*given, **more)

        return noted

    for module, name in works:
        monkeypatch.setattr(module, name, noting(getattr(module, name)))
    return runs


async def test_what_is_little_in_the_background_is_written_by_the_event_loop(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    works = ((lanes, "next_lane"), (queue, "settle"), (vectors, "keep"))
    runs, here = threads_of(monkeypatch, *works), current_thread().name
    many = [vectors_for(turn_ref(f"t{number}"), number) for number in range(vectors.FEW + 1)]
    await leave(backend, *(f"t{number}" for number in range(vectors.FEW + 1)))
    await backend.vectors.keep_vectors(ANN.user, many)
    await backend.vectors.keep_vectors(ANN.user, many[:-1])
    assert runs == [WRITER, here]
    found = [a_memory(f"m{number}", f"It is {number}") for number in range(queue.FEW + 1)]
    for added in (found, found[:1]):
        claim = await claimed(backend, batch=1)
        await backend.queue.settle(claim, Effects(added=added), now=later(1))
    assert runs[2:] == [here, WRITER, here, here]


async def test_what_needs_a_key_that_is_not_open_is_left_to_the_thread(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = threads_of(monkeypatch, (vectors, "keep"))
    await leave(backend, "t1")
    assert isinstance(backend.vectors, SqlVectors)
    backend.vectors._database.keyring.forget()
    await backend.vectors.keep_vectors(ANN.user, [vectors_for(turn_ref("t1"), 1)])
    assert runs == [WRITER]


@pytest.mark.parametrize("broken", [BackendUnavailable("away"), asyncio.CancelledError()])
async def test_a_claim_whose_staged_work_cannot_be_read_is_given_back(
    backend: Backend, monkeypatch: pytest.MonkeyPatch, broken: BaseException
) -> None:
    await leave(backend, "t1")
    first = await claimed(backend)
    await backend.queue.stage(first, "semantic", b"found")
    await backend.queue.release(first)

    def failing(*_: Any) -> None:
        raise broken

    with monkeypatch.context() as away:
        away.setattr(staging, "kept", failing)
        with pytest.raises(type(broken)):
            await claimed(backend)
    again = await claimed(backend)
    assert (again.jobs[0].attempts, again.staged) == (1, {"semantic": b"found"})
