"""Users with their keys, and all that is kept for them, sealed."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

TABLES = (
    "access_keys",
    "ais",
    "segments",
    "erased",
    "traces",
    "vectors",
    "memories",
    "turns",
    "user_keys",
    "users",
    "meta",
)


def upgrade() -> None:
    create_keys()
    create_turns()
    create_memories()
    create_vectors()
    create_history()
    create_directory()


def downgrade() -> None:
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


def create_keys() -> None:
    op.create_table(
        "meta",
        name("name"),
        small("master_version"),
        binary("value"),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "users",
        name("owner"),
        name("epoch"),
        number("version"),
        number("erased"),
        number("key_id"),
        sa.PrimaryKeyConstraint("owner"),
    )
    op.create_table(
        "user_keys",
        sa.Column("key_id", sa.BigInteger, autoincrement=False, nullable=False),
        name("owner"),
        small("master_version"),
        binary("wrapped"),
        of_a_user(),
        sa.PrimaryKeyConstraint("key_id"),
    )
    op.create_index("user_keys_by_owner", "user_keys", ["owner"])
    op.create_index("user_keys_by_master_version", "user_keys", ["master_version", "key_id"])


def create_turns() -> None:
    op.create_table(
        "turns",
        name("owner"),
        name("id"),
        name("ai", nullable=True),
        number("version"),
        number("at"),
        number("recorded_at"),
        binary("session"),
        name("embedded_by", nullable=True),
        number("key_id"),
        binary("body"),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "id", name="turns_key"),
    )
    op.create_index("turns_by_version", "turns", ["owner", "version"], unique=True)
    op.create_index("turns_by_session", "turns", ["owner", "session", "version"])
    op.create_index("turns_by_model", "turns", ["embedded_by", "recorded_at", "owner", "id"])


def create_memories() -> None:
    op.create_table(
        "memories",
        name("owner"),
        name("id"),
        small("revision"),
        name("ai", nullable=True),
        number("serial"),
        number("version"),
        name("tier"),
        name("origin"),
        name("authority"),
        sa.Column("importance", sa.Double, nullable=False),
        sa.Column("confidence", sa.Double, nullable=False),
        number("known_from"),
        number("known_to", nullable=True),
        number("valid_from", nullable=True),
        number("valid_to", nullable=True),
        name("supersedes", nullable=True),
        binary("core_key", nullable=True),
        name("embedded_by", nullable=True),
        number("key_id"),
        binary("body"),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "id", "revision", name="memories_key"),
    )
    op.create_index("memories_by_version", "memories", ["owner", "version"], unique=True)
    op.create_index("memories_by_serial", "memories", ["owner", "serial"])
    op.create_index("memories_by_core_key", "memories", ["owner", "core_key"])
    waiting = ["embedded_by", "known_from", "owner", "id", "revision"]
    op.create_index("memories_by_model", "memories", waiting)


def create_vectors() -> None:
    op.create_table(
        "vectors",
        name("owner"),
        name("kind"),
        name("id"),
        small("revision"),
        name("model"),
        number("version"),
        number("key_id"),
        binary("body"),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "kind", "id", "revision", name="vectors_key"),
    )
    op.create_index("vectors_by_version", "vectors", ["owner", "version"], unique=True)


def create_history() -> None:
    op.create_table(
        "traces",
        name("owner"),
        name("kind"),
        name("id"),
        number("version"),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "kind", "id", "version", name="traces_key"),
    )
    op.create_table(
        "erased",
        name("owner"),
        number("version"),
        name("kind"),
        name("id"),
        small("revision"),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "version", name="erased_key"),
    )
    op.create_table(
        "segments",
        name("owner"),
        number("after"),
        number("upto"),
        number("key_id"),
        binary("body"),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "after", "upto", name="segments_key"),
    )


def create_directory() -> None:
    op.create_table(
        "ais",
        name("owner"),
        name("id"),
        number("created_at"),
        number("key_id"),
        binary("body"),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "id", name="ais_key"),
    )
    op.create_table(
        "access_keys",
        name("id"),
        name("owner"),
        binary("digest"),
        name("label"),
        number("created_at"),
        number("revoked_at", nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_index("access_keys_by_owner", "access_keys", ["owner"])
