"""Since when a job waits out an outage, and a lane to be served."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

LATER = "CASE WHEN due_at > served_at THEN due_at ELSE served_at END"


def upgrade() -> None:
    """Postgres indexes computed columns if they are stored, SQLite adds them only if not."""
    op.add_column("jobs", sa.Column("away_since", sa.BigInteger, nullable=True))
    stored = op.get_bind().dialect.name == "postgresql"
    waits_since = sa.Computed(LATER, persisted=stored)
    op.add_column("lanes", sa.Column("waits_since", sa.BigInteger, waits_since))
    where = sa.text("due_at IS NOT NULL")
    op.create_index(
        "lanes_by_wait",
        "lanes",
        ["waits_since", "owner"],
        sqlite_where=where,
        postgresql_where=where,
    )


def downgrade() -> None:
    op.drop_index("lanes_by_wait", "lanes")
    op.drop_column("lanes", "waits_since")
    op.drop_column("jobs", "away_since")
