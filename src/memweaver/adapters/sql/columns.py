"""The kinds of columns that tables are made of, the same in every dialect."""

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, MetaData, Text
from sqlalchemy.types import TypeEngine

metadata = MetaData()

NAME: TypeEngine[str] = Text().with_variant(Text(collation="C"), "postgresql")
"""Names compare by their code points in every dialect."""
NUMBERED: TypeEngine[int] = BigInteger().with_variant(Integer, "sqlite")
"""Counted up by the database; SQLite does that for its own kind of integer only."""


def of_user() -> Column[str]:
    return Column("owner", NAME, ForeignKey("users.owner"), nullable=False)


def number(column: str, *, nullable: bool = False) -> Column[int]:
    return Column(column, BigInteger, nullable=nullable)


def name(column: str, *, nullable: bool = False) -> Column[str]:
    return Column(column, NAME, nullable=nullable)


def binary(column: str, *, nullable: bool = False) -> Column[bytes]:
    return Column(column, LargeBinary, nullable=nullable)
