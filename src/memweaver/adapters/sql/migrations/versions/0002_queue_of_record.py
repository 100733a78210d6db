"""Jobs and their lanes, what is staged for them, working memory, and memories in quarantine."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBERED = sa.BigInteger().with_variant(sa.Integer, "sqlite")

TABLES = ("windows", "staged", "lanes", "jobs")


def upgrade() -> None:
    create_jobs()
    create_lanes()
    create_sealed()
    extend_memories()


def downgrade() -> None:
    """Memories in quarantine would be recalled by a program that knows of none, so they go."""
    remove_quarantined()
    op.drop_index("memories_by_attribute", "memories")
    op.drop_column("memories", "attribute")
    op.drop_index("memories_by_fingerprint", "memories")
    op.drop_column("memories", "fingerprint")
    op.drop_column("memories", "quarantined")
    for table in TABLES:
        op.drop_table(table)


def name(column: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(column, NAME, nullable=nullable)


def number(column: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(column, sa.BigInteger, nullable=nullable)


def small(column: str) -> sa.Column[int]:
    return sa.Column(column, sa.Integer, nullable=False)


def binary(column: str, *, nullable: bool = False) -> sa.Column[bytes]:
    return sa.Column(column, sa.LargeBinary, nullable=nullable)


def of_a_user() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["owner"], ["users.owner"])


def create_jobs() -> None:
    op.create_table(
        "jobs",
        sa.Column("number", NUMBERED, primary_key=True),
        name("owner"),
        name("id"),
        name("ai", nullable=True),
        small("priority"),
        name("state"),
        small("attempts"),
        small("failures"),
        number("created_at"),
        number("due_at"),
        number("settled_at", nullable=True),
        name("code", nullable=True),
        name("message", nullable=True),
        name("batch", nullable=True),
    )
    op.create_index("jobs_by_id", "jobs", ["owner", "id"], unique=True)
    op.create_index("jobs_by_state", "jobs", ["state", "number"])
    create_index_where("jobs_unsettled", "jobs", ["owner", "number"], "settled_at IS NULL")
    create_index_where("jobs_by_batch", "jobs", ["owner", "batch"], "batch IS NOT NULL")


def create_lanes() -> None:
    op.create_table(
        "lanes",
        name("owner"),
        number("fence"),
        number("leased_until", nullable=True),
        number("served_at"),
        number("served_before"),
        small("rank"),
        number("due_at", nullable=True),
        sa.PrimaryKeyConstraint("owner"),
    )
    in_order = ["rank", "served_at", "owner"]
    create_index_where("lanes_in_order", "lanes", in_order, "due_at IS NOT NULL")


def create_index_where(index: str, table: str, columns: list[str], condition: str) -> None:
    where = sa.text(condition)
    op.create_index(index, table, columns, sqlite_where=where, postgresql_where=where)


def create_sealed() -> None:
    op.create_table(
        "staged",
        name("owner"),
        name("batch"),
        name("name"),
        number("key_id"),
        binary("body"),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "batch", "name", name="staged_key"),
    )
    op.create_table(
        "windows",
        name("owner"),
        binary("session"),
        number("key_id"),
        binary("body"),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "session", name="windows_key"),
    )


def extend_memories() -> None:
    """What is blind of what is there stays unknown: it is sealed, and no key is here."""
    quarantined = sa.Column("quarantined", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("memories", quarantined)
    op.add_column("memories", binary("fingerprint", nullable=True))
    op.create_index("memories_by_fingerprint", "memories", ["owner", "fingerprint"])
    op.add_column("memories", binary("attribute", nullable=True))
    by_attribute = ["owner", "attribute"]
    create_index_where("memories_by_attribute", "memories", by_attribute, "attribute IS NOT NULL")


def remove_quarantined() -> None:
    names = ("owner", "id", "revision")
    memories = sa.table("memories", *map(sa.column, names), sa.column("quarantined", sa.Boolean))
    vectors = sa.table("vectors", *map(sa.column, names), sa.column("kind"))
    theirs = [memories.c[one] == vectors.c[one] for one in names]
    held = sa.exists().where(*theirs, memories.c.quarantined.is_(sa.true()))
    op.execute(vectors.delete().where(vectors.c.kind == "memory", held))
    op.execute(memories.delete().where(memories.c.quarantined.is_(sa.true())))
