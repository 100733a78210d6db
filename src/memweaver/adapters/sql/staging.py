"""What attempts have kept for the next ones: rows by batch and name, sealed."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, insert

from memweaver.adapters.sql import scoped
from memweaver.adapters.sql.job_schema import jobs, staged
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.sealed import body_of, with_body
from memweaver.adapters.sql.users import Head
from memweaver.domain.job import Job
from memweaver.errors import Unreadable

ONE = scoped.reading(jobs, jobs.c.batch).where(jobs.c.id == scoped.given("id"))
IN_BATCH = jobs.c.batch == scoped.given("of_batch")
BATCH = scoped.reading(jobs).where(IN_BATCH).order_by(jobs.c.number)
PART = scoped.updating(jobs).where(IN_BATCH).values(batch=None)
JOIN = (
    scoped.updating(jobs)
    .where(jobs.c.id.in_(scoped.several("ids")))
    .values(batch=scoped.given("new_batch"))
)
STAGED = scoped.reading(staged).where(staged.c.batch == scoped.given("of_batch"))
DROP = scoped.removing(staged).where(staged.c.batch == scoped.given("of_batch"))
DROP_ONE = DROP.where(staged.c.name == scoped.given("of_name"))


def keep(
    connection: Connection,
    keyring: Keyring,
    head: Head,
    jobs: Sequence[Job],
    *,
    name: str,
    result: bytes,
) -> None:
    """In place of what was staged under that name before; the jobs belong together from now on."""
    batch, ids = jobs[0].id, [job.id for job in jobs]
    connection.execute(JOIN, {"user": head.owner, "ids": ids, "new_batch": batch})
    connection.execute(DROP_ONE, {"user": head.owner, "of_batch": batch, "of_name": name})
    row = {"owner": head.owner, "batch": batch, "name": name}
    connection.execute(insert(staged), with_body(keyring, head.key, staged, row, result))


def kept(connection: Connection, keyring: Keyring, owner: str, batch: str) -> Mapping[str, bytes]:
    """What is staged for a batch; without what cannot be opened, which can be made again."""
    found: dict[str, bytes] = {}
    for row in connection.execute(STAGED, {"user": owner, "of_batch": batch}).all():
        try:
            found[row.name] = body_of(connection, keyring, staged, row)
        except Unreadable:
            continue
    return found


def batch_of(connection: Connection, owner: str, batch: str) -> Sequence[Row[Any]]:
    """The jobs that something was staged for together."""
    return connection.execute(BATCH, {"user": owner, "of_batch": batch}).all()


def part(connection: Connection, owner: str, job_id: str) -> None:
    """What was staged for several is of no use to one of them."""
    row = connection.execute(ONE, {"user": owner, "id": job_id}).one()
    if row.batch is not None and len(batch_of(connection, owner, row.batch)) > 1:
        drop(connection, owner, row.batch)


def drop(connection: Connection, owner: str, batch: str | None) -> None:
    """Forget what is staged for a batch; its jobs no longer belong together."""
    if batch is not None:
        mine = {"user": owner, "of_batch": batch}
        connection.execute(DROP, mine)
        connection.execute(PART, mine)
