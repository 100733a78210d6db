"""The tables, the same in every dialect.

Clear are names, times, numbers and versions; all that a person said is in `body`, sealed. Times
are microseconds since 1970. `session` and `core_key` are blind: a keyed hash, enough to look up.
"""

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData()

NAME: TypeEngine[str] = Text().with_variant(Text(collation="C"), "postgresql")
"""Names compare by their code points in every dialect."""


def _owner() -> Column[str]:
    return Column("owner", NAME, ForeignKey("users.owner"), nullable=False)


def _number(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=nullable)


def _name(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, NAME, nullable=nullable)


def _bytes(name: str, *, nullable: bool = False) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=nullable)


meta = Table(
    "meta",
    metadata,
    Column("name", NAME, primary_key=True),
    Column("master_version", Integer, nullable=False),
    _bytes("value"),
)

users = Table(
    "users",
    metadata,
    Column("owner", NAME, primary_key=True),
    _name("epoch"),
    _number("version"),
    _number("erased"),
    _number("key_id"),
)
"""`version` counts all changes of a user, `erased` is the version of the last erasure."""

user_keys = Table(
    "user_keys",
    metadata,
    Column("key_id", BigInteger, primary_key=True, autoincrement=False),
    _owner(),
    Column("master_version", Integer, nullable=False),
    _bytes("wrapped"),
    Index("user_keys_by_owner", "owner"),
    Index("user_keys_by_master_version", "master_version", "key_id"),
)

turns = Table(
    "turns",
    metadata,
    _owner(),
    _name("id"),
    _name("ai", nullable=True),
    _number("version"),
    _number("at"),
    _number("recorded_at"),
    _bytes("session"),
    _name("embedded_by", nullable=True),
    _number("key_id"),
    _bytes("body"),
    PrimaryKeyConstraint("owner", "id", name="turns_key"),
    Index("turns_by_version", "owner", "version", unique=True),
    Index("turns_by_session", "owner", "session", "version"),
    Index("turns_by_model", "embedded_by", "recorded_at", "owner", "id"),
)

memories = Table(
    "memories",
    metadata,
    _owner(),
    _name("id"),
    Column("revision", Integer, nullable=False),
    _name("ai", nullable=True),
    _number("serial"),
    _number("version"),
    _name("tier"),
    _name("origin"),
    _name("authority"),
    Column("importance", Double, nullable=False),
    Column("confidence", Double, nullable=False),
    _number("known_from"),
    _number("known_to", nullable=True),
    _number("valid_from", nullable=True),
    _number("valid_to", nullable=True),
    _name("supersedes", nullable=True),
    _bytes("core_key", nullable=True),
    _name("embedded_by", nullable=True),
    _number("key_id"),
    _bytes("body"),
    PrimaryKeyConstraint("owner", "id", "revision", name="memories_key"),
    Index("memories_by_version", "owner", "version", unique=True),
    Index("memories_by_serial", "owner", "serial"),
    Index("memories_by_core_key", "owner", "core_key"),
    Index("memories_by_model", "embedded_by", "known_from", "owner", "id", "revision"),
)
"""A row for each revision; `serial` is the version at which the first of them was added."""

vectors = Table(
    "vectors",
    metadata,
    _owner(),
    _name("kind"),
    _name("id"),
    Column("revision", Integer, nullable=False),
    _name("model"),
    _number("version"),
    _number("key_id"),
    _bytes("body"),
    PrimaryKeyConstraint("owner", "kind", "id", "revision", name="vectors_key"),
    Index("vectors_by_version", "owner", "version", unique=True),
)

traces = Table(
    "traces",
    metadata,
    _owner(),
    _name("kind"),
    _name("id"),
    _number("version"),
    PrimaryKeyConstraint("owner", "kind", "id", "version", name="traces_key"),
)
"""Versions that a record had before: segments made then still hold it."""

erased = Table(
    "erased",
    metadata,
    _owner(),
    _number("version"),
    _name("kind"),
    _name("id"),
    Column("revision", Integer, nullable=False),
    PrimaryKeyConstraint("owner", "version", name="erased_key"),
)

segments = Table(
    "segments",
    metadata,
    _owner(),
    _number("after"),
    _number("upto"),
    _number("key_id"),
    _bytes("body"),
    PrimaryKeyConstraint("owner", "after", "upto", name="segments_key"),
)

ais = Table(
    "ais",
    metadata,
    _owner(),
    _name("id"),
    _number("created_at"),
    _number("key_id"),
    _bytes("body"),
    PrimaryKeyConstraint("owner", "id", name="ais_key"),
)

access_keys = Table(
    "access_keys",
    metadata,
    Column("id", NAME, primary_key=True),
    Column("owner", NAME, nullable=False),
    Column("digest", LargeBinary, nullable=False, unique=True),
    _name("label"),
    _number("created_at"),
    _number("revoked_at", nullable=True),
    Index("access_keys_by_owner", "owner"),
)

OWNED = (turns, memories, vectors, traces, erased, segments, ais, user_keys, users)
"""The tables that hold what belongs to a user, those that refer to others first."""
