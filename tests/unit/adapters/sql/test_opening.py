"""Opening a database: what cannot work is said at once, in one sentence that says what to do."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack

import pytest
from sqlalchemy import URL, Engine, make_url, text
from tests.servers.keeper import free_port
from tests.servers.postgres import Postgres

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.adapters.sql import open_sql, postgres, sqlite
from memweaver.errors import BackendUnavailable, ConfigurationError, SchemaMismatch
from memweaver.ports.keys import MasterKeys
from memweaver.testing.conformance.backend import ANN, a_turn

CIPHER = open_cipher("aes-gcm")


def engine_for(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        return sqlite.open_engine(url, writer=True)
    return postgres.open_engine(url)


def change(url: URL, *statements: str) -> None:
    """Do something to a closed database behind the program's back."""
    engine = engine_for(url)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


async def opened_once(url: URL | str, keys: MasterKeys, *, migrate: bool = True) -> None:
    async with open_sql(url, CIPHER, keys, migrate=migrate) as backend:
        await backend.store.record([a_turn()])


async def test_what_was_kept_is_there_when_opened_again(url: URL) -> None:
    keys = MemoryMasterKeys()
    await opened_once(url, keys)
    async with open_sql(url, CIPHER, keys) as backend:
        assert await backend.store.turn(ANN, "t1") == a_turn()


async def test_what_one_cipher_sealed_opens_with_the_other(url: URL) -> None:
    keys = MemoryMasterKeys()
    await opened_once(url, keys)
    async with open_sql(url, open_cipher("fernet"), keys) as backend:
        assert await backend.store.turn(ANN, "t1") == a_turn()
        await backend.store.record([a_turn("t2")])
    async with open_sql(url, CIPHER, keys) as backend:
        assert await backend.store.turn(ANN, "t2") == a_turn("t2")


async def test_a_wrong_master_key_is_found_at_once(url: URL) -> None:
    await opened_once(url, MemoryMasterKeys())
    with pytest.raises(ConfigurationError, match="give it the key it was made with"):
        await opened_once(url, MemoryMasterKeys())


async def test_a_master_key_version_that_is_gone_is_named(url: URL) -> None:
    keys = MemoryMasterKeys()
    await opened_once(url, keys)
    keys.retire(keys.add().version)
    with pytest.raises(ConfigurationError, match="version 1"):
        await opened_once(url, keys)


async def test_a_schema_from_the_future_is_refused_and_left_alone(url: URL) -> None:
    keys = MemoryMasterKeys()
    await opened_once(url, keys)
    change(url, "UPDATE alembic_version SET version_num = '9999'")
    for migrate in (True, False):
        with pytest.raises(SchemaMismatch, match=r"9999, which is newer .* install the newer"):
            await opened_once(url, keys, migrate=migrate)
    change(url, "UPDATE alembic_version SET version_num = '0004'")
    await opened_once(url, keys)


async def test_without_leave_to_migrate_an_older_schema_is_refused(url: URL) -> None:
    with pytest.raises(SchemaMismatch, match="run `memweaver migrate`"):
        await opened_once(url, MemoryMasterKeys(), migrate=False)
    keys = MemoryMasterKeys()
    await opened_once(url, keys)
    await opened_once(url, keys, migrate=False)


async def test_several_may_open_what_is_not_there_yet(url: URL) -> None:
    keys = MemoryMasterKeys()
    async with AsyncExitStack() as stack:
        openings = (stack.enter_async_context(open_sql(url, CIPHER, keys)) for _ in range(3))
        backends: Sequence[object] = await asyncio.gather(*openings)
        assert len(backends) == 3


@pytest.mark.postgres
async def test_a_server_that_answers_before_it_has_written_is_refused(postgres: Postgres) -> None:
    url = make_url(postgres.url(postgres.new_database()))
    change(url, f"ALTER DATABASE {url.database} SET synchronous_commit = off")
    with pytest.raises(ConfigurationError, match="synchronous_commit"):
        await opened_once(url, MemoryMasterKeys())


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(BackendUnavailable):
        await opened_once(f"postgresql://127.0.0.1:{free_port()}/nobody", MemoryMasterKeys())


@pytest.mark.parametrize("url", ["mysql://localhost/memories", "sqlite://", "memories", ""])
async def test_an_address_that_cannot_work_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError):
        await opened_once(url, MemoryMasterKeys())


async def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'memweaver\[postgres\]'"):
        await opened_once("postgresql://localhost/memories", MemoryMasterKeys())
