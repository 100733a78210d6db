"""The rows that are scored, with all that the recipe asks of them."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    bindparam,
    case,
    func,
    literal,
    select,
    type_coerce,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import NullType

from memweaver.adapters.pgvector.candidates import Looking
from memweaver.adapters.pgvector.lexical import WINDOW
from memweaver.adapters.pgvector.schema import records
from memweaver.domain.dates import Span
from memweaver.domain.search import Kind, Ref

PLAIN = ("ordinal", "seat", "speaker", "at", "flags", "length", "pairs")


@dataclass(frozen=True, slots=True)
class Found:
    """A row to be scored; `cosine` is `None` where the current model has not read it."""

    kind: str
    id: str
    revision: int
    ordinal: int
    seat: int
    speaker: int | None
    at: int
    flags: int
    length: int
    pairs: int
    days: list[int]
    admitted: bool
    cosine: float | None

    @property
    def ref(self) -> Ref:
        return Ref(Kind(self.kind), self.id, self.revision)

    @property
    def mentions(self) -> list[Span]:
        return [Span(*self.days[at : at + 2]) for at in range(0, len(self.days), 2)]


def with_neighbours(
    connection: Connection, looking: Looking, seats: Collection[int]
) -> list[Found]:
    """The rows at `seats` and those that sit beside them."""
    near = {beside for seat in seats for beside in range(seat - WINDOW, seat + WINDOW + 1)}
    wanted = bindparam("seats", sorted(near), ARRAY(BigInteger))
    rows = select(*columns(looking)).where(looking.mine, records.c.seat == func.any(wanted))
    return [Found(*row) for row in connection.execute(rows)]


def columns(looking: Looking) -> Iterator[ColumnElement[Any]]:
    yield from (records.c[name] for name in ("kind", "id", "revision", *PLAIN))
    yield type_coerce(records.c.mentions, NullType())  # the driver's list is good as it is
    yield looking.admitted
    if looking.vector is None:
        yield literal(None)
    else:
        yield case((looking.embedded, 1 - looking.distance))
