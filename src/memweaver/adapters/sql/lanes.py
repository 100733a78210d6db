"""Lanes: whose jobs are next, and who has them."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Insert,
    Row,
    case,
    exists,
    func,
    literal_column,
    or_,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

from memweaver.adapters.sql import jobs, scoped, staging
from memweaver.adapters.sql.job_schema import UNSETTLED, lanes
from memweaver.adapters.sql.job_schema import jobs as rows
from memweaver.adapters.sql.prepared import Prepared
from memweaver.adapters.sql.rows import micros
from memweaver.adapters.sql.schema import users
from memweaver.domain.conversation import Turn
from memweaver.domain.job import State
from memweaver.errors import ClaimLost
from memweaver.ports.queue import AHEAD, Claim

ZERO: ColumnElement[int] = literal_column("0")
NEVER = ZERO
ONE: ColumnElement[int] = literal_column("1")
FEW: ColumnElement[int] = literal_column(str(AHEAD))
"""Written out, as a prepared statement has no parameters but those it names."""
READY = (
    lanes.c.due_at <= scoped.given("now"),
    or_(lanes.c.leased_until.is_(None), lanes.c.leased_until <= scoped.given("now")),
)
ANYBODY = (
    scoped.everybodys(lanes, lanes.c.owner)
    .where(*READY)
    .limit(ONE)
    .with_for_update(skip_locked=True)
)
BY_RANK = ANYBODY.order_by(lanes.c.rank, lanes.c.served_at, lanes.c.owner)
BY_WAIT = ANYBODY.where(lanes.c.waits_since <= scoped.given("long_ago")).order_by(
    lanes.c.waits_since, lanes.c.owner
)
EITHER = func.coalesce(BY_WAIT.scalar_subquery(), BY_RANK.scalar_subquery())
NEXT = scoped.everybodys(lanes).where(lanes.c.owner == EITHER).with_for_update()
"""The second is not looked for if there is a first, and neither waits for a lane being claimed.

Locked again, as another claim may have ended since the statement began: so its end is seen.
"""
THEIRS = scoped.reading(lanes).with_for_update()
HELD = THEIRS.where(
    lanes.c.fence == scoped.given("fence"),
    lanes.c.leased_until.is_not(None),
    exists().where(users.c.owner == lanes.c.owner, users.c.epoch == scoped.given("epoch")),
)
LEASE = scoped.updating(lanes).values(
    fence=lanes.c.fence + 1,
    leased_until=scoped.given("until"),
    served_at=scoped.given("now"),
    served_before=lanes.c.served_at,
)
PROLONG = scoped.updating(lanes).values(leased_until=scoped.given("until"))
THE_OLDEST = select(rows.c.due_at).where(scoped.owned(rows), UNSETTLED).order_by(rows.c.number)


def rank_of(owner: str) -> ColumnElement[int]:
    """The rank that the jobs of the user given under that name make."""
    unsettled = select(rows.c.priority).where(rows.c.owner == scoped.given(owner), UNSETTLED)
    ahead = unsettled.order_by(rows.c.number).limit(FEW).offset(ZERO).subquery()
    return select(func.coalesce(-func.max(ahead.c.priority), ZERO)).scalar_subquery()


RECKON = scoped.updating(lanes).values(
    due_at=THE_OLDEST.limit(1).scalar_subquery(), rank=rank_of("user")
)
FREE = RECKON.values(leased_until=None)
GIVE_BACK = FREE.values(served_at=lanes.c.served_before)
RUNNING = scoped.updating(rows).where(UNSETTLED, rows.c.state == State.RUNNING)
TAKE_BACK = RUNNING.values(state=State.WAITING)
UNDO = TAKE_BACK.values(attempts=rows.c.attempts - 1)
BREAK = scoped.updating(lanes).values(fence=lanes.c.fence + 1)
REMOVE = scoped.removing(rows).where(rows.c.id == scoped.given("id"))


def opening(insert: Callable[[Any], Any]) -> Insert:
    """Begin a lane, or have one that is there know of new jobs at its end."""
    new = insert(lanes).values(
        owner=scoped.given("of_owner"),
        fence=NEVER,
        served_at=NEVER,
        served_before=NEVER,
        rank=scoped.given("new_rank"),
        due_at=scoped.given("new_due"),
    )
    sooner = new.excluded.rank < lanes.c.rank
    rank = case(
        (lanes.c.due_at.is_(None), new.excluded.rank),
        (sooner, rank_of("of_owner")),
        else_=lanes.c.rank,
    )
    known: Insert = new.on_conflict_do_update(
        index_elements=[lanes.c.owner],
        set_={
            "rank": rank,
            "due_at": func.coalesce(lanes.c.due_at, new.excluded.due_at),
        },
    )
    return known


OPEN = Prepared(opening(sqlite.insert), elsewhere=opening(postgresql.insert))


def enter(connection: Connection, turns: Sequence[Turn], left: jobs.Left) -> None:
    """Leave a job for each of these turns of one user, who is locked."""
    for turn in turns:
        jobs.keep(connection, turn, left)
    lane = {
        "of_owner": turns[0].scope.user,
        "new_rank": -left.priority,
        "new_due": micros(turns[0].recorded_at),
    }
    OPEN.changed(connection, lane)


def leave(connection: Connection, owner: str, job_id: str) -> None:
    """Remove the job of a turn that is erased. The user is locked.

    A claim with that job in it is lost: what it makes would be made of what is erased.
    """
    connection.execute(THEIRS, {"user": owner})
    mine = {"user": owner, "id": job_id}
    job = connection.execute(jobs.ONE, mine).one_or_none()
    if job is None:
        return
    staging.drop(connection, owner, job.batch)
    connection.execute(REMOVE, mine)
    if job.state == State.RUNNING:
        connection.execute(BREAK, {"user": owner})
        give_back(connection, owner)
    else:
        reckon(connection, owner)


def next_lane(
    connection: Connection, now: datetime, longest_wait: timedelta, user: str | None
) -> Row[Any] | None:
    """The lane that is served next, locked; of `user`, even if somebody else has it just now."""
    if user is None:
        times = {"now": micros(now), "long_ago": micros(now - longest_wait)}
        return connection.execute(NEXT, times).one_or_none()
    mine = {"user": user, "now": micros(now)}
    return connection.execute(THEIRS.where(*READY), mine).one_or_none()


def claimed(
    connection: Connection, lane: Row[Any], now: datetime, lease: timedelta, batch: int
) -> Sequence[Row[Any]]:
    """The jobs of a lane that come next, running from now on, under the next fence."""
    owner = lane.owner
    if lane.leased_until is not None:
        connection.execute(TAKE_BACK, {"user": owner})
    chosen = next_jobs(connection, owner, micros(now), batch)
    ids = [row.id for row in chosen]
    connection.execute(jobs.RUN, {"user": owner, "ids": ids})
    until = micros(now + lease)
    connection.execute(LEASE, {"user": owner, "now": micros(now), "until": until})
    return chosen


def next_jobs(connection: Connection, owner: str, now: int, batch: int) -> Sequence[Row[Any]]:
    first, *others = jobs.oldest(connection, owner, max(1, batch))
    if first.batch is not None:
        return staging.batch_of(connection, owner, first.batch)
    if first.attempts:
        return [first]

    def alike(other: Row[Any]) -> bool:
        fresh = other.batch is None and not other.attempts and other.due_at <= now
        return fresh and other.ai == first.ai

    return [first, *takewhile(alike, others)]


def hold(connection: Connection, claim: Claim) -> None:
    """Keep the claim's lane until the transaction ends. Raises `ClaimLost`."""
    mine = {"user": claim.scope.user, "fence": claim.fence, "epoch": claim.epoch}
    if connection.execute(HELD, mine).one_or_none() is None:
        raise lost()


def lost() -> ClaimLost:
    return ClaimLost("another worker has these jobs now, or their user is gone: leave them")


def prolong(connection: Connection, owner: str, until: datetime) -> None:
    connection.execute(PROLONG, {"user": owner, "until": micros(until)})


def free(connection: Connection, owner: str) -> None:
    """End the claim there is."""
    connection.execute(FREE, {"user": owner})


def give_back(connection: Connection, owner: str) -> None:
    """Take the claim back as if it had not been."""
    connection.execute(UNDO, {"user": owner})
    connection.execute(GIVE_BACK, {"user": owner})


def reckon(connection: Connection, owner: str) -> None:
    """Have the lane tell what its jobs say."""
    connection.execute(RECKON, {"user": owner})
