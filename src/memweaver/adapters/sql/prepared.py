"""Statements that run with every record: compiled once, on SQLite given straight to the driver.

SQLAlchemy spends some sixty microseconds on running a statement, of which SQLite needs ten.
"""

import sqlite3
from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlalchemy import Connection, Insert, Select, Update
from sqlalchemy.dialects import sqlite

Statement = Select[Any] | Insert | Update

named_row: Any = namedtuple  # noqa: PYI024 - no class body can name them
"""Untyped, as the names of its fields come from a statement."""

SQLITE = sqlite.dialect(paramstyle="named")


class Prepared:
    """`elsewhere` is the same statement where another dialect words it in another way."""

    def __init__(self, statement: Statement, *, elsewhere: Statement | None = None) -> None:
        compiled = statement.compile(dialect=SQLITE)
        self.sql = str(compiled)
        self._fixed = {name: one for name, one in compiled.params.items() if one is not None}
        """Values that the statement itself names, such as a limit."""
        self._elsewhere = statement if elsewhere is None else elsewhere
        names = [column.name for column in statement.exported_columns]
        self._row = named_row("Row", names)._make

    def __call__(self, connection: Connection, parameters: Mapping[str, object]) -> Sequence[Any]:
        """Run it; answer its rows, with columns as attributes."""
        if connection.dialect.name != SQLITE.name:
            return connection.execute(self._elsewhere, parameters).all()
        return self.rows(driver_of(connection), parameters)

    def rows(self, driver: sqlite3.Connection, parameters: Mapping[str, object]) -> Sequence[Any]:
        """The same, on a connection of SQLite's own."""
        return [self._row(row) for row in driver.execute(self.sql, self._all(parameters))]

    def changed(self, connection: Connection, parameters: Mapping[str, object]) -> int:
        """Run it; answer how many rows it wrote."""
        if connection.dialect.name != SQLITE.name:
            counting = {"preserve_rowcount": True}  # otherwise forgotten after an INSERT
            answer = connection.execute(self._elsewhere, parameters, execution_options=counting)
            return answer.rowcount
        rows: int = driver_of(connection).execute(self.sql, self._all(parameters)).rowcount
        return rows

    def _all(self, parameters: Mapping[str, object]) -> Mapping[str, object]:
        return {**self._fixed, **parameters} if self._fixed else parameters


def driver_of(connection: Connection) -> sqlite3.Connection:
    return cast("sqlite3.Connection", connection.connection.driver_connection)
