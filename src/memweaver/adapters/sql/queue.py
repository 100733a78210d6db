"""The `Queue` port over SQL."""

from asyncio import shield
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from memweaver.adapters.sql import effects as applying
from memweaver.adapters.sql import jobs, lanes, scoped, staging, turns
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.rows import micros
from memweaver.adapters.sql.schema import users
from memweaver.adapters.sql.sealed import SealedDatabase
from memweaver.adapters.sql.telling import tell
from memweaver.adapters.sql.users import LOCK, Head, locked
from memweaver.domain.event import Event, EventKind
from memweaver.domain.job import Depth, Failure, Job, State
from memweaver.domain.memory import Memory
from memweaver.domain.scope import Scope, checked_name
from memweaver.errors import BackendError, ClaimLost, Conflict
from memweaver.ports.queue import LONGEST_WAIT, Claim, Effects, Queue
from memweaver.ports.store import Page

FEW = 20
"""Jobs, memories and vectors up to which settling is quick."""
EPOCH = scoped.reading(users, users.c.epoch)


class SqlQueue(Queue):
    def __init__(self, database: SealedDatabase) -> None:
        self._database = database

    async def claim(
        self,
        *,
        now: datetime,
        lease: timedelta,
        batch: int,
        user: str | None = None,
        longest_wait: timedelta = LONGEST_WAIT,
    ) -> Claim | None:
        def work(connection: Connection) -> tuple[Claim, str | None] | None:
            lane = lanes.next_lane(connection, now, longest_wait, user)
            if lane is None:
                return None
            rows = lanes.claimed(connection, lane, now, lease, batch)
            return claim_of(connection, lane, rows), rows[0].batch

        claimed = await self._database.plain.write(work, quick=True)
        return claimed and await self._with_staged(*claimed)

    async def _with_staged(self, claim: Claim, batch: str | None) -> Claim:
        """What was staged is read apart: it may be long, and its key has to be open.

        If it cannot be read, the claim is given back: nobody knows of it.
        """
        if batch is None:
            return claim
        user = claim.scope.user
        try:
            staged = await self._database.read(lambda c, keys: staging.kept(c, keys, user, batch))
        except BaseException:
            with suppress(BackendError, ClaimLost):
                await shield(self.release(claim))
            raise
        return replace(claim, staged=staged)

    async def heartbeat(self, claim: Claim, *, until: datetime) -> None:
        await self._database.plain.write(lambda c: heartbeat(c, claim, until))

    async def stage(self, claim: Claim, name: str, result: bytes) -> None:
        await self._database.write(lambda c, keys: stage(c, keys, claim, name, result))

    async def settle(
        self, claim: Claim, effects: Effects, *, now: datetime, dead: Failure | None = None
    ) -> Sequence[Memory]:
        return await self._database.write(
            lambda c, keys: settle(c, keys, claim, effects, now=now, dead=dead),
            quick=little(claim, effects) and self._database.keyring.holds(claim.scope.user),
        )

    async def fail(
        self,
        claim: Claim,
        failure: Failure,
        *,
        now: datetime,
        retry_at: datetime | None,
        apart: bool = False,
    ) -> None:
        def work(connection: Connection) -> None:
            fail(connection, claim, failure, now, retry_at)
            if apart:
                staging.drop(connection, claim.scope.user, claim.jobs[0].id)

        await self._database.plain.write(work)

    async def postpone(
        self, claim: Claim, failure: Failure, *, now: datetime, retry_at: datetime
    ) -> None:
        new = jobs.waiting_out(micros(now), micros(retry_at), failure)
        await self._database.plain.write(lambda c: rest(c, claim, new, now))

    async def apply(
        self, given: Sequence[Job], effects: Effects, *, now: datetime
    ) -> Sequence[Memory]:
        return await self._database.write(lambda c, keys: apply(c, keys, given, effects, now))

    async def release(self, claim: Claim) -> None:
        await self._database.plain.write(lambda c: release(c, claim))

    async def job(self, scope: Scope, job_id: str) -> Job:
        return await self._database.plain.read(lambda c: jobs.one(c, scope, job_id))

    async def jobs(
        self, *, states: Sequence[State], user: str | None, before: int | None, limit: int
    ) -> Page[Job]:
        return await self._database.plain.read(
            lambda c: jobs.listed(c, states=states, user=user, before=before, limit=limit)
        )

    async def dead(self, user: str, job_ids: Collection[str]) -> frozenset[str]:
        return await self._database.plain.read(lambda c: jobs.dead(c, user, job_ids))

    async def retry(self, user: str, job_id: str, *, now: datetime) -> Job:
        return await self._database.plain.write(lambda c: retry(c, user, job_id, now))

    async def discard(self, user: str, job_id: str) -> None:
        await self._database.plain.write(lambda c: discard(c, user, job_id))

    async def retry_all(self, user: str, *, now: datetime) -> Sequence[Job]:
        return await self._database.plain.write(lambda c: retry_all(c, user, now))

    async def depth(self) -> Depth:
        return await self._database.plain.read(jobs.depth)

    async def sweep(self, *, before: datetime) -> int:
        swept = some = await self._database.plain.write(lambda c: jobs.sweep(c, micros(before)))
        while some == jobs.AT_A_TIME:
            some = await self._database.plain.write(lambda c: jobs.sweep(c, micros(before)))
            swept += some
        return swept


def little(claim: Claim, effects: Effects) -> bool:
    """Only what is new: what was known may be sealed under a key that is not open."""
    new = len(claim.jobs) + len(effects.added) + len(effects.vectors)
    return new <= FEW and not effects.revised and not effects.closed


def claim_of(connection: Connection, lane: Row[Any], rows: Sequence[Row[Any]]) -> Claim:
    owner = lane.owner
    return Claim(
        scope=Scope(owner, rows[0].ai),
        epoch=connection.execute(EPOCH, {"user": owner}).scalar_one(),
        fence=lane.fence + 1,
        jobs=tuple(jobs.begun(row) for row in rows),
    )


def heartbeat(connection: Connection, claim: Claim, until: datetime) -> None:
    lanes.hold(connection, claim)
    lanes.prolong(connection, claim.scope.user, until)


def stage(connection: Connection, keyring: Keyring, claim: Claim, name: str, result: bytes) -> None:
    head = held(connection, keyring, claim)
    checked_name("name", name)
    staging.keep(connection, keyring, head, claim.jobs, name=name, result=result)


def settle(
    connection: Connection,
    keyring: Keyring,
    claim: Claim,
    effects: Effects,
    *,
    now: datetime,
    dead: Failure | None,
) -> Sequence[Memory]:
    head = held(connection, keyring, claim)
    added = applying.apply(connection, keyring, head, claim.scope, effects, now=now)
    staging.drop(connection, head.owner, claim.jobs[0].id)
    end(connection, claim, now, dead)
    return added


def apply(
    connection: Connection, keyring: Keyring, given: Sequence[Job], effects: Effects, now: datetime
) -> Sequence[Memory]:
    scope = given[0].scope
    head = locked(connection, keyring, scope.user)
    if head is None or not turns.unchanged(connection, given):
        raise lanes.lost()
    return applying.apply(connection, keyring, head, scope, effects, now=now)


def fail(
    connection: Connection,
    claim: Claim,
    failure: Failure,
    now: datetime,
    retry_at: datetime | None,
) -> None:
    if retry_at is not None:
        rest(connection, claim, jobs.resting(micros(retry_at), failure), now)
        return
    hold(connection, claim)
    end(connection, claim, now, failure)


def rest(connection: Connection, claim: Claim, new: jobs.Changes, now: datetime) -> None:
    hold(connection, claim)
    jobs.change(connection, claim.scope.user, claim.jobs, new)
    lanes.free(connection, claim.scope.user)
    tell_of(connection, claim, EventKind.JOB_RETRIED, now)


def hold(connection: Connection, claim: Claim) -> None:
    """The user before the lane, as whoever tells events holds the user. Raises `ClaimLost`."""
    connection.execute(LOCK, {"user": claim.scope.user})
    lanes.hold(connection, claim)


def release(connection: Connection, claim: Claim) -> None:
    lanes.hold(connection, claim)
    lanes.give_back(connection, claim.scope.user)


def dead_one(connection: Connection, user: str, job_id: str) -> Job:
    """Raises `NotFound`; `Conflict` if it is not dead."""
    connection.execute(lanes.THEIRS, {"user": user})
    job = jobs.one(connection, Scope(user), job_id)
    if job.state is not State.DEAD:
        raise Conflict(f"the job {job_id!r} is {job.state}, not dead")
    return job


def discard(connection: Connection, user: str, job_id: str) -> None:
    lanes.leave(connection, user, dead_one(connection, user, job_id).id)


def retry(connection: Connection, user: str, job_id: str, now: datetime) -> Job:
    job = dead_one(connection, user, job_id)
    staging.part(connection, user, job_id)
    jobs.change(connection, user, [job], jobs.anew(micros(now)))
    lanes.reckon(connection, user)
    return jobs.one(connection, Scope(user), job_id)


def retry_all(connection: Connection, user: str, now: datetime) -> Sequence[Job]:
    connection.execute(lanes.THEIRS, {"user": user})
    retried = jobs.revive(connection, user, micros(now))
    lanes.reckon(connection, user)
    return retried


def held(connection: Connection, keyring: Keyring, claim: Claim) -> Head:
    """The user and the lane, locked until the transaction ends. Raises `ClaimLost`."""
    head = locked(connection, keyring, claim.scope.user)
    if head is None:
        raise lanes.lost()
    lanes.hold(connection, claim)
    return head


def end(connection: Connection, claim: Claim, now: datetime, dead: Failure | None) -> None:
    owner = claim.scope.user
    jobs.change(connection, owner, claim.jobs, jobs.ended(micros(now), dead))
    lanes.free(connection, owner)
    tell_of(connection, claim, EventKind.JOB_DEAD if dead else EventKind.JOB_DONE, now)


def tell_of(connection: Connection, claim: Claim, kind: EventKind, now: datetime) -> None:
    for job in claim.jobs:
        tell(connection, Event(kind, job.scope, job.id, now))
