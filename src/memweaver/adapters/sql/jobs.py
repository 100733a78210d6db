"""Jobs: a row for each turn that is to be reflected, or was."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row, Select, func, insert, select

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.job_schema import UNSETTLED, jobs
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import micros, time, time_or_none
from memweaver.domain.conversation import Turn
from memweaver.domain.job import Depth, Failure, Job, Priority, State
from memweaver.domain.scope import Scope
from memweaver.errors import NotFound
from memweaver.ports.store import Page

Changes = Mapping[str, object]
"""New values of columns."""

KEPT = (
    "owner", "id", "ai", "priority", "state", "attempts", "failures", "created_at", "due_at",
    "trace",
)  # fmt: skip
KEEP = Prepared(insert(jobs).values({name: scoped.given(f"new_{name}") for name in KEPT}))
ONE = scoped.reading(jobs).where(jobs.c.id == scoped.given("id"))
OLDEST = scoped.reading(jobs).where(UNSETTLED).order_by(jobs.c.number).limit(scoped.given("batch"))
THESE = scoped.updating(jobs).where(jobs.c.id.in_(scoped.several("ids")))
RUN = THESE.values(state=State.RUNNING, attempts=jobs.c.attempts + 1)
REVIVE = scoped.updating(jobs).where(jobs.c.state == State.DEAD).returning(*jobs.c)
DEAD = scoped.reading(jobs, jobs.c.id).where(
    jobs.c.state == State.DEAD, jobs.c.id.in_(scoped.several("ids"))
)
COUNTED = (State.WAITING, State.RUNNING, State.DEAD)
COUNT = (
    scoped.everybodys(jobs, jobs.c.state, func.count())
    .where(jobs.c.state.in_(COUNTED))
    .group_by(jobs.c.state)
)
FIRST = (
    scoped.everybodys(jobs, jobs.c.number, jobs.c.created_at)
    .where(jobs.c.state == scoped.given("state"))
    .order_by(jobs.c.number)
    .limit(1)
)
UNTROUBLED: Changes = {"code": None, "message": None, "away_since": None}
AT_A_TIME = 1000
"""Jobs swept in one transaction: others write in between."""
SWEPT = (
    select(jobs.c.number)
    .where(jobs.c.state == State.DONE, jobs.c.settled_at < scoped.given("before"))
    .order_by(jobs.c.number)
    .limit(AT_A_TIME)
    .with_for_update(skip_locked=True)
)
SWEEP = jobs.delete().where(jobs.c.number.in_(SWEPT))


@dataclass(frozen=True, slots=True)
class Left:
    """How turns leave their jobs."""

    priority: Priority
    trace: str | None


def keep(connection: Connection, turn: Turn, left: Left) -> None:
    KEEP.changed(
        connection,
        {
            "new_owner": turn.scope.user,
            "new_id": turn.id,
            "new_ai": turn.scope.ai,
            "new_priority": int(left.priority),
            "new_state": State.WAITING.value,
            "new_attempts": 0,
            "new_failures": 0,
            "new_created_at": micros(turn.recorded_at),
            "new_due_at": micros(turn.recorded_at),
            "new_trace": left.trace,
        },
    )


def from_row(row: Row[Any]) -> Job:
    return Job(
        id=row.id,
        scope=Scope(row.owner, row.ai),
        priority=Priority(row.priority),
        state=State(row.state),
        created_at=time(row.created_at),
        due_at=time(row.due_at),
        attempts=row.attempts,
        failures=row.failures,
        settled_at=time_or_none(row.settled_at),
        failure=None if row.code is None else Failure(row.code, row.message),
        away_since=time_or_none(row.away_since),
        trace=row.trace,
    )


def begun(row: Row[Any]) -> Job:
    """A job as it is once an attempt of it has begun."""
    job = from_row(row)
    return replace(job, state=State.RUNNING, attempts=job.attempts + 1)


def failed(failure: Failure) -> Changes:
    return {
        "failures": jobs.c.failures + 1,
        "code": failure.code,
        "message": failure.message,
        "away_since": None,
    }


def resting(until: int, failure: Failure) -> Changes:
    return {"state": State.WAITING, "due_at": until, **failed(failure)}


def waiting_out(now: int, until: int, failure: Failure) -> Changes:
    """As if it had not been begun, but for when it may be, and why."""
    return {
        "state": State.WAITING,
        "due_at": until,
        "attempts": jobs.c.attempts - 1,
        "code": failure.code,
        "message": failure.message,
        "away_since": func.coalesce(jobs.c.away_since, now),
    }


def ended(now: int, dead: Failure | None) -> Changes:
    if dead is None:
        return {"state": State.DONE, "settled_at": now, **UNTROUBLED}
    return {"state": State.DEAD, "settled_at": now, **failed(dead)}


def anew(now: int) -> Changes:
    counts = {"attempts": 0, "failures": 0, "settled_at": None}
    return {"state": State.WAITING, "due_at": now, **counts, **UNTROUBLED}


def revive(connection: Connection, owner: str, now: int) -> Sequence[Job]:
    """Let all of a user's that are dead wait anew; they, oldest first."""
    rows = connection.execute(REVIVE.values(**anew(now)), {"user": owner}).all()
    return [from_row(row) for row in sorted(rows, key=lambda row: row.number)]


def oldest(connection: Connection, owner: str, batch: int) -> Sequence[Row[Any]]:
    """The oldest jobs of a user that are neither done nor dead."""
    return connection.execute(OLDEST, {"user": owner, "batch": batch}).all()


def change(connection: Connection, owner: str, given: Sequence[Job], new: Changes) -> None:
    ids = [job.id for job in given]
    connection.execute(THESE.values(**new), {"user": owner, "ids": ids})


def one(connection: Connection, scope: Scope, job_id: str) -> Job:
    statement = scoped.seen(jobs, scope).where(jobs.c.id == scoped.known_name(job_id))
    row = connection.execute(statement, {"user": scope.user}).one_or_none()
    if row is None:
        raise NotFound(f"there is no job {job_id!r}")
    return from_row(row)


def listed(
    connection: Connection,
    *,
    states: Sequence[State],
    user: str | None,
    before: int | None,
    limit: int,
) -> Page[Job]:
    statement = whose(user).where(jobs.c.state.in_(states))
    if before is not None:
        statement = statement.where(jobs.c.number < before)
    latest = statement.order_by(jobs.c.number.desc()).limit(limit + 1)
    rows = connection.execute(latest, {} if user is None else {"user": user}).all()
    following = rows[limit - 1].number if len(rows) > limit else None
    return Page([from_row(row) for row in rows[:limit]], following)


def dead(connection: Connection, owner: str, ids: Collection[str]) -> frozenset[str]:
    found = scoped.in_pieces(connection, DEAD, {"user": owner}, "ids", list(ids))
    return frozenset(row.id for row in found)


def whose(user: str | None) -> Select[Any]:
    return scoped.everybodys(jobs) if user is None else scoped.reading(jobs)


def depth(connection: Connection) -> Depth:
    counts: dict[str, int] = {row[0]: row[1] for row in connection.execute(COUNT)}
    waiting, running, dead = (counts.get(state, 0) for state in COUNTED)
    firsts = [
        row
        for state in (State.WAITING, State.RUNNING)
        for row in connection.execute(FIRST, {"state": state})
    ]
    _, created_at = min(map(tuple, firsts), default=(0, None))
    return Depth(waiting, running, dead, time_or_none(created_at))


def sweep(connection: Connection, before: int) -> int:
    """Forget some of the jobs that were done before then; how many."""
    return connection.execute(SWEEP, {"before": before}).rowcount
