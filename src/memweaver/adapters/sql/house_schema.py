"""The tables of the service: who may come in, sessions, what happened and who is told.

What is sealed and belongs to nobody in particular is the house's: its `owner` is `HOUSE`.
"""

from sqlalchemy import Column, Index, Integer, LargeBinary, PrimaryKeyConstraint, Table

from memweaver.adapters.sql.columns import NAME, NUMBERED, binary, metadata, name, number, of_user

access_keys = Table(
    "access_keys",
    metadata,
    Column("id", NAME, primary_key=True),
    Column("owner", NAME, nullable=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    name("label"),
    number("created_at"),
    number("revoked_at", nullable=True),
    Column("permissions", NAME, nullable=False, server_default="keys read write chat admin"),
    name("ai", nullable=True),
    name("realm", nullable=True),
    number("expires_at", nullable=True),
    Index("access_keys_by_owner", "owner"),
)
"""`realm` is that of a service key: those it acts for are users named `realm:name`."""

accounts = Table(
    "accounts",
    metadata,
    of_user(),
    name("id"),
    name("organisation"),
    name("role"),
    binary("email"),
    number("created_at"),
    number("disabled_at", nullable=True),
    number("tokens_from"),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "id", name="accounts_key"),
    Index("accounts_by_email", "owner", "email", unique=True),
)
"""People who log in; `id` is the user, `email` blind. Tokens from before `tokens_from` are void."""

secrets = Table(
    "secrets",
    metadata,
    of_user(),
    name("id"),
    Column("version", Integer, nullable=False),
    number("created_at"),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "id", "version", name="secrets_key"),
)
"""What the house signs with."""

revoked_tokens = Table(
    "revoked_tokens",
    metadata,
    Column("id", NAME, primary_key=True),
    number("expires_at"),
    Index("revoked_tokens_by_expiry", "expires_at"),
)

audit = Table(
    "audit",
    metadata,
    Column("number", NUMBERED, primary_key=True),
    number("at"),
    name("actor"),
    name("action"),
    name("subject"),
)
"""Who did what to whom: names, never contents."""

sessions = Table(
    "sessions",
    metadata,
    of_user(),
    name("id"),
    name("ai", nullable=True),
    number("serial"),
    number("created_at"),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "id", name="sessions_key"),
    Index("sessions_by_serial", "owner", "serial", unique=True),
)

replies = Table(
    "replies",
    metadata,
    of_user(),
    binary("id"),
    binary("request"),
    number("at"),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "id", name="replies_key"),
    Index("replies_by_age", "at"),
)
"""What a request with an idempotency key was answered; `id` and `request` are blind."""

events = Table(
    "events",
    metadata,
    Column("number", NUMBERED, primary_key=True),
    of_user(),
    name("ai", nullable=True),
    name("kind"),
    name("id"),
    name("tier", nullable=True),
    number("at"),
    Index("events_by_owner", "owner", "number"),
    Index("events_by_age", "at"),
    sqlite_autoincrement=True,
)
"""No number is given twice, whatever was trimmed; SQLite would count on from what is left."""

webhooks = Table(
    "webhooks",
    metadata,
    of_user(),
    name("id"),
    name("ai", nullable=True),
    number("created_at"),
    number("told"),
    Column("attempts", Integer, nullable=False),
    number("due_at"),
    number("leased_until", nullable=True),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "id", name="webhooks_key"),
    Index("webhooks_by_due", "due_at"),
)
"""`told` is the number of the last event it was told: what came after it is still to be told."""

deliveries = Table(
    "deliveries",
    metadata,
    of_user(),
    name("webhook"),
    number("event"),
    name("ai", nullable=True),
    name("kind"),
    name("id"),
    name("tier", nullable=True),
    number("happened_at"),
    Column("attempts", Integer, nullable=False),
    number("at"),
    name("failure"),
    PrimaryKeyConstraint("owner", "webhook", "event", name="deliveries_key"),
)
"""Events that a webhook could not be told, and why."""
