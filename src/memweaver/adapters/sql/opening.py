"""Opens a database: schema brought up to date, durability and master key proven."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import anyio.to_thread
from sqlalchemy import URL, Engine, exc, make_url

from memweaver.adapters.sql import postgres, sqlite
from memweaver.adapters.sql.access import SqlAccess
from memweaver.adapters.sql.accounts import SqlAccounts
from memweaver.adapters.sql.audit import SqlAudit
from memweaver.adapters.sql.changes import SqlChanges
from memweaver.adapters.sql.database import Database, PooledDatabase
from memweaver.adapters.sql.errors import translated
from memweaver.adapters.sql.events import SqlEventLog
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.migrate import bring_up_to_date
from memweaver.adapters.sql.queue import SqlQueue
from memweaver.adapters.sql.registry import SqlRegistry
from memweaver.adapters.sql.replies import SqlReplies
from memweaver.adapters.sql.sealed import SealedDatabase
from memweaver.adapters.sql.secrets import SqlSecrets
from memweaver.adapters.sql.sessions import SqlSessions
from memweaver.adapters.sql.store import SqlStore
from memweaver.adapters.sql.vault import SqlVault
from memweaver.adapters.sql.vectors import SqlVectors
from memweaver.adapters.sql.webhooks import SqlWebhooks
from memweaver.adapters.sql.windows import SqlWindows
from memweaver.errors import ConfigurationError
from memweaver.ports.backend import Backend
from memweaver.ports.cipher import Cipher
from memweaver.ports.keys import MasterKeys


@asynccontextmanager
async def open_sql(
    url: str | URL,
    cipher: Cipher,
    master_keys: MasterKeys,
    *,
    pool: int = 8,
    migrate: bool = True,
) -> AsyncGenerator[Backend]:
    """Open the SQLite file or Postgres database at `url`, and close it in the end.

    Raises:
        ConfigurationError: the address, the durability or the master key cannot work.
        SchemaMismatch: the schema is newer than this program, or older and `migrate` is off.
        BackendUnavailable: nothing answers there.
    """
    keyring = Keyring(cipher, master_keys)
    async with open_database(parsed(url), keyring, pool=pool, migrate=migrate) as database:
        yield backend_over(SealedDatabase(database, keyring))


def backend_over(database: SealedDatabase) -> Backend:
    return Backend(
        store=SqlStore(database),
        queue=SqlQueue(database),
        windows=SqlWindows(database),
        changes=SqlChanges(database),
        vectors=SqlVectors(database),
        vault=SqlVault(database),
        access=SqlAccess(database.plain),
        registry=SqlRegistry(database),
        events=SqlEventLog(database.plain),
        webhooks=SqlWebhooks(database),
        accounts=SqlAccounts(database),
        secrets=SqlSecrets(database),
        audit=SqlAudit(database.plain),
        sessions=SqlSessions(database),
        replies=SqlReplies(database),
    )


@asynccontextmanager
async def open_database(
    url: URL, keyring: Keyring, *, pool: int, migrate: bool
) -> AsyncGenerator[Database]:
    match url.get_backend_name():
        case "sqlite":
            await anyio.to_thread.run_sync(partial(prepare_sqlite, url, keyring, migrate=migrate))
            file = await anyio.to_thread.run_sync(sqlite.SqliteDatabase, url, pool)
            try:
                yield file
            finally:
                await anyio.to_thread.run_sync(file.close)
        case "postgresql":
            await anyio.to_thread.run_sync(partial(prepare_postgres, url, keyring, migrate=migrate))
            server = PooledDatabase(postgres.open_pool(url, pool), pool)
            try:
                yield server
            finally:
                await anyio.to_thread.run_sync(server.close)
        case other:
            raise ConfigurationError(f"the store cannot be `{other}`: use sqlite or postgresql")


def prepare_sqlite(url: URL, keyring: Keyring, *, migrate: bool) -> None:
    sqlite.private_file(Path(url.database or ""))
    prepare(sqlite.open_engine(url, writer=True), keyring, migrate=migrate)


def prepare_postgres(url: URL, keyring: Keyring, *, migrate: bool) -> None:
    prepare(postgres.open_engine(url), keyring, migrate=migrate)


def prepare(engine: Engine, keyring: Keyring, *, migrate: bool) -> None:
    """On an engine of its own: durability, then the schema, then the master key."""
    try:
        if engine.dialect.name == "postgresql":
            postgres.demand_durable(engine)
        bring_up_to_date(engine, migrate=migrate)
        with translated(), engine.begin() as connection:
            keyring.prove(connection)
    finally:
        engine.dispose()


def parsed(url: str | URL) -> URL:
    try:
        return make_url(url)
    except exc.ArgumentError as error:
        raise ConfigurationError("the store's url cannot be read: give scheme://…") from error


def sqlite_url(path: Path) -> URL:
    """The address of a SQLite file, whatever characters its path has."""
    return URL.create("sqlite", database=str(path))
