"""The tables, the same in every dialect.

Clear are names, times, numbers and versions; all that a person said is in `body`, sealed. Times
are microseconds since 1970. `session`, `core_key`, `fingerprint` and `attribute` are blind: a keyed
hash, enough to look up.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    false,
)

from memweaver.adapters.sql.columns import NAME, binary, name, number, of_user
from memweaver.adapters.sql.columns import metadata as metadata
from memweaver.adapters.sql.house_schema import access_keys as access_keys
from memweaver.adapters.sql.house_schema import (
    accounts,
    deliveries,
    events,
    replies,
    secrets,
    sessions,
    webhooks,
)
from memweaver.adapters.sql.job_schema import jobs, lanes, staged

meta = Table(
    "meta",
    metadata,
    Column("name", NAME, primary_key=True),
    Column("master_version", Integer, nullable=False),
    binary("value"),
)

users = Table(
    "users",
    metadata,
    Column("owner", NAME, primary_key=True),
    name("epoch"),
    number("version"),
    number("erased"),
    number("key_id"),
)
"""`version` counts all changes of a user, `erased` is the version of the last erasure."""

user_keys = Table(
    "user_keys",
    metadata,
    Column("key_id", BigInteger, primary_key=True, autoincrement=False),
    of_user(),
    Column("master_version", Integer, nullable=False),
    binary("wrapped"),
    Index("user_keys_by_owner", "owner"),
    Index("user_keys_by_master_version", "master_version", "key_id"),
)

turns = Table(
    "turns",
    metadata,
    of_user(),
    name("id"),
    name("ai", nullable=True),
    number("version"),
    number("at"),
    number("recorded_at"),
    binary("session"),
    name("embedded_by", nullable=True),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "id", name="turns_key"),
    Index("turns_by_version", "owner", "version", unique=True),
    Index("turns_by_session", "owner", "session", "version"),
    Index("turns_by_model", "embedded_by", "recorded_at", "owner", "id"),
)

memories = Table(
    "memories",
    metadata,
    of_user(),
    name("id"),
    Column("revision", Integer, nullable=False),
    name("ai", nullable=True),
    number("serial"),
    number("version"),
    name("tier"),
    name("origin"),
    name("authority"),
    Column("importance", Double, nullable=False),
    Column("confidence", Double, nullable=False),
    number("known_from"),
    number("known_to", nullable=True),
    number("valid_from", nullable=True),
    number("valid_to", nullable=True),
    name("supersedes", nullable=True),
    binary("core_key", nullable=True),
    name("embedded_by", nullable=True),
    number("key_id"),
    binary("body"),
    Column("quarantined", Boolean, nullable=False, server_default=false()),
    binary("fingerprint", nullable=True),
    binary("attribute", nullable=True),
    PrimaryKeyConstraint("owner", "id", "revision", name="memories_key"),
    Index("memories_by_version", "owner", "version", unique=True),
    Index("memories_by_serial", "owner", "serial"),
    Index("memories_by_core_key", "owner", "core_key"),
    Index("memories_by_fingerprint", "owner", "fingerprint"),
    Index("memories_by_model", "embedded_by", "known_from", "owner", "id", "revision"),
)
"""A row for each revision; `serial` is the version at which the first of them was added.

`fingerprint` stands for its words, `attribute` for that of its metadata. Rows from before schema
0002 have neither, as only their sealed bodies tell them: a duplicate of such a one is not known by
its words.
"""

ATTRIBUTED = memories.c.attribute.is_not(None)
Index(
    "memories_by_attribute",
    memories.c.owner,
    memories.c.attribute,
    sqlite_where=ATTRIBUTED,
    postgresql_where=ATTRIBUTED,
)

vectors = Table(
    "vectors",
    metadata,
    of_user(),
    name("kind"),
    name("id"),
    Column("revision", Integer, nullable=False),
    name("model"),
    number("version"),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "kind", "id", "revision", name="vectors_key"),
    Index("vectors_by_version", "owner", "version", unique=True),
)

traces = Table(
    "traces",
    metadata,
    of_user(),
    name("kind"),
    name("id"),
    number("version"),
    PrimaryKeyConstraint("owner", "kind", "id", "version", name="traces_key"),
)
"""Versions that a record had before: segments made then still hold it."""

erased = Table(
    "erased",
    metadata,
    of_user(),
    number("version"),
    name("kind"),
    name("id"),
    Column("revision", Integer, nullable=False),
    PrimaryKeyConstraint("owner", "version", name="erased_key"),
)

segments = Table(
    "segments",
    metadata,
    of_user(),
    number("after"),
    number("upto"),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "after", "upto", name="segments_key"),
)

ais = Table(
    "ais",
    metadata,
    of_user(),
    name("id"),
    number("created_at"),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "id", name="ais_key"),
)

windows = Table(
    "windows",
    metadata,
    of_user(),
    binary("session"),
    number("key_id"),
    binary("body"),
    PrimaryKeyConstraint("owner", "session", name="windows_key"),
)
"""Working memory; `session` stands for the AI and the session."""

OWNED = (
    deliveries,
    webhooks,
    events,
    replies,
    sessions,
    accounts,
    secrets,
    lanes,
    jobs,
    staged,
    windows,
    turns,
    memories,
    vectors,
    traces,
    erased,
    segments,
    ais,
    user_keys,
    users,
)
"""The tables that hold what belongs to a user, those that refer to others first.

Whoever locks rows of several locks `users`, then `lanes`, then `jobs`: so no two wait for each
other.
"""
