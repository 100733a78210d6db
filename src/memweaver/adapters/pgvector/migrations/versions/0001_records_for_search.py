"""Rows to search by, the embedding still as JSON."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision = "0001"
down_revision = None

RECORDS, USERS = "memory_associative", "memory_associative_users"
NAME = sa.Text(collation="C")


def upgrade() -> None:
    create_records()
    index_records()
    op.create_table(
        USERS,
        sa.Column("owner", NAME, primary_key=True),
        sa.Column("epoch", NAME, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("made_by", NAME, nullable=False),
        sa.Column("rows", sa.BigInteger, nullable=False),
        sa.Column("words", sa.BigInteger, nullable=False),
        sa.Column("pairs", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table(USERS)
    op.drop_table(RECORDS)


def create_records() -> None:
    op.create_table(
        RECORDS,
        sa.Column("owner", NAME, nullable=False),
        sa.Column("kind", NAME, nullable=False),
        sa.Column("id", NAME, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("ai", NAME),
        sa.Column("tier", NAME),
        sa.Column("seat", sa.BigInteger, nullable=False),
        sa.Column("session", sa.BigInteger),
        sa.Column("speaker", sa.BigInteger),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("known_from", sa.BigInteger, nullable=False),
        sa.Column("known_to", sa.BigInteger),
        sa.Column("valid_from", sa.BigInteger),
        sa.Column("valid_to", sa.BigInteger),
        sa.Column("flags", sa.SmallInteger, nullable=False),
        sa.Column("length", sa.Integer, nullable=False),
        sa.Column("pairs", sa.Integer, nullable=False),
        sa.Column("mentions", ARRAY(sa.Integer), nullable=False),
        sa.Column("terms", ARRAY(sa.BigInteger), nullable=False),
        sa.Column("embedded_by", NAME),
        sa.Column("embedding", JSONB),
        sa.PrimaryKeyConstraint(
            "owner", "kind", "id", "revision", "ordinal", name="memory_associative_key"
        ),
    )


def index_records() -> None:
    op.create_index("memory_associative_by_time", RECORDS, ["owner", "at"])
    op.create_index("memory_associative_by_seat", RECORDS, ["owner", "seat"])
    op.create_index("memory_associative_by_speaker", RECORDS, ["owner", "speaker", "ai"])
    op.create_index(
        "memory_associative_by_term",
        RECORDS,
        ["terms"],
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    )
