"""The tables of this index. Nothing in them is sealed, and no text is in them.

Words, pairs of words, sessions and speakers are numbers made with a secret of the user's, which
is not here: who has the database only sees which of one user's rows share one, and how often.
All the rest is clear: vectors, from which most of a short text can be told; owners, AIs, ids and
tiers; times, and days that a text mentions; lengths; `flags`, whether a text is the user's, asks,
or tells of a time, a place, a number, a person or advice.

Times are microseconds since 1970, days are counted as `date.toordinal` does.
"""

from pgvector.sqlalchemy import VECTOR
from sqlalchemy import (
    BigInteger,
    Column,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    SmallInteger,
    Table,
    Text,
)
from sqlalchemy.dialects.postgresql import ARRAY

NAME = Text(collation="C")

metadata = MetaData()

records = Table(
    "memory_associative",
    metadata,
    Column("owner", NAME, nullable=False),
    Column("kind", NAME, nullable=False),
    Column("id", NAME, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("ai", NAME),
    Column("tier", NAME),
    Column("seat", BigInteger, nullable=False),
    Column("session", BigInteger),
    Column("speaker", BigInteger),
    Column("at", BigInteger, nullable=False),
    Column("known_from", BigInteger, nullable=False),
    Column("known_to", BigInteger),
    Column("valid_from", BigInteger),
    Column("valid_to", BigInteger),
    Column("flags", SmallInteger, nullable=False),
    Column("length", Integer, nullable=False),
    Column("pairs", Integer, nullable=False),
    Column("mentions", ARRAY(Integer), nullable=False),
    Column("terms", ARRAY(BigInteger), nullable=False),
    Column("embedded_by", NAME),
    Column("embedding", VECTOR),
    PrimaryKeyConstraint(
        "owner", "kind", "id", "revision", "ordinal", name="memory_associative_key"
    ),
    Index("memory_associative_by_time", "owner", "at"),
    Index("memory_associative_by_seat", "owner", "seat"),
    Index("memory_associative_by_speaker", "owner", "speaker", "ai"),
    Index(
        "memory_associative_by_term",
        "terms",
        postgresql_using="gin",
        postgresql_with={"fastupdate": "off"},
    ),
)
"""A row for each searchable text: a message of a turn, or a revision of a memory.

`seat` is where a row sits: messages of one session of one AI sit side by side without gaps, in
the order they were recorded, and memories by themselves.
`length` counts content words, `pairs` adjoining words; `terms` has both, as often as they occur.
`mentions` has the first and the last day of each span that the text speaks of, one after another.
"""

users = Table(
    "memory_associative_users",
    metadata,
    Column("owner", NAME, primary_key=True),
    Column("epoch", NAME, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("made_by", NAME, nullable=False),
    Column("rows", BigInteger, nullable=False),
    Column("words", BigInteger, nullable=False),
    Column("pairs", BigInteger, nullable=False),
)
"""How far this index followed each user, and the sums that the rarity of words needs."""
