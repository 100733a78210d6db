"""The tables of the queue: jobs, the lanes they wait in, and what is staged for them."""

from sqlalchemy import BigInteger, Column, Computed, Index, Integer, PrimaryKeyConstraint, Table

from memweaver.adapters.sql.columns import NAME, NUMBERED, binary, metadata, name, number, of_user

jobs = Table(
    "jobs",
    metadata,
    Column("number", NUMBERED, primary_key=True),
    name("owner"),
    name("id"),
    name("ai", nullable=True),
    Column("priority", Integer, nullable=False),
    name("state"),
    Column("attempts", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    number("created_at"),
    number("due_at"),
    number("settled_at", nullable=True),
    name("code", nullable=True),
    name("message", nullable=True),
    name("batch", nullable=True),
    number("away_since", nullable=True),
    name("trace", nullable=True),
    Index("jobs_by_id", "owner", "id", unique=True),
    Index("jobs_by_state", "state", "number"),
)
"""`number` orders the jobs of everybody; `batch` is the id of the first that it was staged with.

Neither jobs nor lanes refer to `users`: Postgres would lock the user to see that it is there, when
a row is changed twice in a transaction, and by then the lane is locked.
"""

UNSETTLED = jobs.c.settled_at.is_(None)
Index(
    "jobs_unsettled",
    jobs.c.owner,
    jobs.c.number,
    sqlite_where=UNSETTLED,
    postgresql_where=UNSETTLED,
)
STAGED = jobs.c.batch.is_not(None)
Index(
    "jobs_by_batch",
    jobs.c.owner,
    jobs.c.batch,
    sqlite_where=STAGED,
    postgresql_where=STAGED,
)

LATER = "CASE WHEN due_at > served_at THEN due_at ELSE served_at END"

lanes = Table(
    "lanes",
    metadata,
    Column("owner", NAME, primary_key=True),
    number("fence"),
    number("leased_until", nullable=True),
    number("served_at"),
    number("served_before"),
    Column("rank", Integer, nullable=False),
    number("due_at", nullable=True),
    Column("waits_since", BigInteger, Computed(LATER)),
)
"""What the next claim of a user's jobs depends on.

`leased_until` is null while nobody has one. `rank` is the highest priority among the oldest of the
unsettled jobs, negated; `due_at` is that of the very oldest, null if there is none. `waits_since`,
which the database keeps, is since when the lane could have been served and was not.
"""

WAITING = lanes.c.due_at.is_not(None)
Index(
    "lanes_in_order",
    lanes.c.rank,
    lanes.c.served_at,
    lanes.c.owner,
    sqlite_where=WAITING,
    postgresql_where=WAITING,
)
Index(
    "lanes_by_wait",
    lanes.c.waits_since,
    lanes.c.owner,
    sqlite_where=WAITING,
    postgresql_where=WAITING,
)

staged = Table(
    "staged",
    metadata,
    of_user(),
    name("batch"),
    name("name"),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "batch", "name", name="staged_key"),
)
"""What an attempt has kept for the next one."""
