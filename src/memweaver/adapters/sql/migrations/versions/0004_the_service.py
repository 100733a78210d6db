"""Accounts and keys with permissions, sessions, events, webhooks and what goes out to them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

NAME = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
NUMBERED = sa.BigInteger().with_variant(sa.Integer, "sqlite")
EVERYTHING = "keys read write chat admin"
"""What a key could do before keys had permissions."""

TABLES = (
    "deliveries",
    "webhooks",
    "events",
    "replies",
    "sessions",
    "audit",
    "revoked_tokens",
    "secrets",
    "accounts",
)
KEY_COLUMNS = ("permissions", "ai", "realm", "expires_at")


def upgrade() -> None:
    extend_keys()
    create_accounts()
    create_sessions()
    create_events()
    op.add_column("jobs", name("trace", nullable=True))


def downgrade() -> None:
    """A key that was limited would become one that is not, so those that are go."""
    everything = sa.column("permissions") == EVERYTHING
    unlimited = sa.and_(everything, sa.column("ai").is_(None), sa.column("expires_at").is_(None))
    op.execute(sa.delete(sa.table("access_keys")).where(sa.not_(unlimited)))
    for table in TABLES:
        op.drop_table(table)
    for column in KEY_COLUMNS:
        op.drop_column("access_keys", column)
    op.drop_column("jobs", "trace")


def name(column: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(column, NAME, nullable=nullable)


def number(column: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(column, sa.BigInteger, nullable=nullable)


def small(column: str) -> sa.Column[int]:
    return sa.Column(column, sa.Integer, nullable=False)


def binary(column: str) -> sa.Column[bytes]:
    return sa.Column(column, sa.LargeBinary, nullable=False)


def sealed() -> tuple[sa.Column[int], sa.Column[bytes]]:
    return number("key_id"), binary("body")


def of_a_user() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["owner"], ["users.owner"])


def extend_keys() -> None:
    op.add_column(
        "access_keys", sa.Column("permissions", NAME, nullable=False, server_default=EVERYTHING)
    )
    op.add_column("access_keys", name("ai", nullable=True))
    op.add_column("access_keys", name("realm", nullable=True))
    op.add_column("access_keys", number("expires_at", nullable=True))


def create_accounts() -> None:
    op.create_table(
        "accounts",
        name("owner"),
        name("id"),
        name("organisation"),
        name("role"),
        binary("email"),
        number("created_at"),
        number("disabled_at", nullable=True),
        number("tokens_from"),
        *sealed(),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "id", name="accounts_key"),
    )
    op.create_index("accounts_by_email", "accounts", ["owner", "email"], unique=True)
    op.create_table(
        "secrets",
        name("owner"),
        name("id"),
        small("version"),
        number("created_at"),
        *sealed(),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "id", "version", name="secrets_key"),
    )
    op.create_table(
        "revoked_tokens",
        sa.Column("id", NAME, primary_key=True),
        number("expires_at"),
    )
    op.create_index("revoked_tokens_by_expiry", "revoked_tokens", ["expires_at"])
    op.create_table(
        "audit",
        sa.Column("number", NUMBERED, primary_key=True),
        number("at"),
        name("actor"),
        name("action"),
        name("subject"),
    )


def create_sessions() -> None:
    op.create_table(
        "sessions",
        name("owner"),
        name("id"),
        name("ai", nullable=True),
        number("serial"),
        number("created_at"),
        *sealed(),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "id", name="sessions_key"),
    )
    op.create_index("sessions_by_serial", "sessions", ["owner", "serial"], unique=True)
    op.create_table(
        "replies",
        name("owner"),
        binary("id"),
        binary("request"),
        number("at"),
        *sealed(),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "id", name="replies_key"),
    )
    op.create_index("replies_by_age", "replies", ["at"])


def create_events() -> None:
    op.create_table(
        "events",
        sa.Column("number", NUMBERED, primary_key=True),
        name("owner"),
        name("ai", nullable=True),
        name("kind"),
        name("id"),
        name("tier", nullable=True),
        number("at"),
        of_a_user(),
        sqlite_autoincrement=True,
    )
    op.create_index("events_by_owner", "events", ["owner", "number"])
    op.create_index("events_by_age", "events", ["at"])
    op.create_table(
        "webhooks",
        name("owner"),
        name("id"),
        name("ai", nullable=True),
        number("created_at"),
        number("told"),
        small("attempts"),
        number("due_at"),
        number("leased_until", nullable=True),
        *sealed(),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "id", name="webhooks_key"),
    )
    op.create_index("webhooks_by_due", "webhooks", ["due_at"])
    op.create_table(
        "deliveries",
        name("owner"),
        name("webhook"),
        number("event"),
        name("ai", nullable=True),
        name("kind"),
        name("id"),
        name("tier", nullable=True),
        number("happened_at"),
        small("attempts"),
        number("at"),
        name("failure"),
        of_a_user(),
        sa.PrimaryKeyConstraint("owner", "webhook", "event", name="deliveries_key"),
    )
