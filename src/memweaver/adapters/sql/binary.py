"""A cursor that takes answers as bytes: a segment read as text would be twice as long."""

from typing import Any

from psycopg import Connection, Cursor
from psycopg.pq import Format


class BinaryCursor(Cursor[Any]):
    def __init__(self, connection: Connection[Any], **options: Any) -> None:
        super().__init__(connection, **options)
        self.format = Format.BINARY
