"""The one place that says whose rows a statement touches.

Every statement takes the user as a parameter; running it without one fails. What `everybodys`
builds looks across users: it is for upkeep, never for answering somebody.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    Delete,
    Row,
    Select,
    Table,
    Update,
    bindparam,
    delete,
    select,
    update,
)

from memweaver.domain.scope import Scope
from memweaver.errors import NotFound

PIECE = 1000
"""Names handed to one statement; the drivers take some ten thousand at most."""


def given(name: str) -> BindParameter[Any]:
    """A value handed in when the statement runs."""
    return bindparam(name)


def several(name: str) -> BindParameter[Any]:
    """A list of values handed in when the statement runs."""
    return bindparam(name, expanding=True)


def owned(table: Table) -> ColumnElement[bool]:
    """The rows of the user given as parameter `user`."""
    return table.c.owner == given("user")


def reading(table: Table, *columns: ColumnElement[Any]) -> Select[Any]:
    return select(*columns or table.c).where(owned(table))


def updating(table: Table) -> Update:
    return update(table).where(owned(table))


def removing(table: Table) -> Delete:
    return delete(table).where(owned(table))


def seen(table: Table, scope: Scope) -> Select[Any]:
    """What a scope sees: all of the user's, or what belongs to its AI."""
    if scope.ai is None:
        return reading(table)
    return reading(table).where(table.c.ai == scope.ai)


def shared_with(table: Table, scope: Scope) -> Select[Any]:
    """What a scope may read: what it sees, and what other AIs of the user share with it."""
    if scope.ai is None:
        return reading(table)
    return reading(table).where(table.c.ai.in_(sorted({scope.ai, *scope.shared})))


def written_in(table: Table, scope: Scope) -> Select[Any]:
    """What was written in exactly this scope."""
    return reading(table).where(table.c.ai.is_not_distinct_from(scope.ai))


def everybodys(table: Table, *columns: ColumnElement[Any]) -> Select[Any]:
    """Rows of all users, for upkeep."""
    return select(*columns or table.c)


def known_name(name: str) -> str:
    """`name`, unless nothing can be kept under it, as a database may choke on it."""
    if not name.isprintable():
        raise NotFound(f"there is nothing named {name!r}")
    return name


def in_pieces(
    connection: Connection,
    statement: Select[Any],
    parameters: Mapping[str, object],
    name: str,
    values: Sequence[object],
) -> Iterator[Row[Any]]:
    """The rows for all `values` of the list parameter `name`, some at a time."""
    for start in range(0, len(values), PIECE):
        piece = {**parameters, name: values[start : start + PIECE]}
        yield from connection.execute(statement, piece).all()


def page(
    connection: Connection,
    statement: Select[Any],
    serial: Column[int],
    *,
    before: int | None,
    limit: int,
    owner: str,
) -> tuple[Sequence[Row[Any]], int | None]:
    """At most `limit` rows, the latest first, and where the next page begins."""
    if before is not None:
        statement = statement.where(serial < before)
    newest = statement.order_by(serial.desc()).limit(limit + 1)
    rows = connection.execute(newest, {"user": owner}).all()
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], getattr(rows[limit - 1], serial.name)
