"""Statements that run with every record: compiled once, on SQLite given straight to the driver.

SQLAlchemy spends some sixty microseconds on running a statement, of which SQLite needs ten.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Insert, Row, Select, Update
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import result_tuple

SQLITE = sqlite.dialect(paramstyle="named")


class Prepared:
    def __init__(self, statement: Select[Any] | Insert | Update) -> None:
        self.sql = str(statement.compile(dialect=SQLITE))
        self._statement = statement
        self._row = result_tuple([column.name for column in statement.exported_columns])

    def __call__(
        self, connection: Connection, parameters: Mapping[str, object]
    ) -> Sequence[Row[Any]]:
        """Run it; answer its rows, with columns as attributes."""
        if connection.dialect.name != SQLITE.name:
            answer = connection.execute(self._statement, parameters)
            return answer.all() if answer.returns_rows else ()
        rows = _driver(connection).execute(self.sql, parameters)
        return [self._row(row) for row in rows]

    def many(self, connection: Connection, parameters: Sequence[Mapping[str, object]]) -> None:
        """Run it for each of `parameters`."""
        if connection.dialect.name != SQLITE.name:
            connection.execute(self._statement, parameters)
        else:
            _driver(connection).executemany(self.sql, parameters)


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection
