"""The backends that the storing suites run on."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.memory import MemoryMasterKeys, open_memory
from memweaver.adapters.sql import open_sql, sqlite_url
from memweaver.adapters.sql.migrate import bring_up_to_date
from memweaver.adapters.sql.sqlite import open_engine
from memweaver.ports.backend import Backend


class InMemory:
    def open_backend(self) -> AbstractAsyncContextManager[Backend]:
        return open_memory()


class Sqlite:
    @asynccontextmanager
    async def open_backend(self) -> AsyncGenerator[Backend]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "memweaver.db"
            file.write_bytes(empty_file())
            cipher, keys = open_cipher("aes-gcm"), MemoryMasterKeys()
            async with open_sql(sqlite_url(file), cipher, keys) as backend:
                yield backend


@cache
def empty_file() -> bytes:
    """A database with the newest schema and nothing in it, so that each test need not migrate."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        engine = open_engine(sqlite_url(file), writer=True)
        bring_up_to_date(engine, migrate=True)
        engine.dispose()
        return file.read_bytes()
