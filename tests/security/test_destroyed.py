"""Who was destroyed: nothing of theirs is left on disk, nor opens in a copy taken before."""

from pathlib import Path
from shutil import copytree

import pytest
from sqlalchemy import URL, Connection, select
from tests.conformance.backends import database_behind, keys_service

from memweaver.adapters.crypto import FileMasterKeys, open_cipher
from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.adapters.sql import open_sql, sqlite, sqlite_url
from memweaver.adapters.sql.keyring import Keyring
from memweaver.adapters.sql.resealing import BOUND
from memweaver.adapters.sql.schema import user_keys
from memweaver.domain.working import Window
from memweaver.errors import ConfigurationError, NotFound, Unreadable
from memweaver.testing.conformance.backend import (
    ANN,
    BOB,
    a_memory,
    a_turn,
    turn_ref,
    vectors_for,
)
from memweaver.testing.conformance.queue import claimed, leave

CIPHER = open_cipher("aes-gcm")


def sealed_bytes(connection: Connection) -> list[bytes]:
    """Everything that is sealed in the database, and the wrapped keys."""
    bodies = [body for one in BOUND for body in connection.execute(select(one.c.body)).scalars()]
    return [*bodies, *connection.execute(select(user_keys.c.wrapped)).scalars()]


def found_in(folder: Path, values: list[bytes]) -> int:
    files = [file.read_bytes() for file in folder.iterdir()]
    return sum(any(value in file for file in files) for value in values)


async def left_on_disk(folder: Path) -> int:
    """How many of the sealed values of somebody who is destroyed can still be found in files."""
    url = sqlite_url(folder / "memweaver.db")
    async with open_sql(url, CIPHER, MemoryMasterKeys()) as backend:
        await backend.store.record([a_turn(f"t{number}") for number in range(50)])
        await backend.store.add([a_memory()])
        await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref("t1"), 1)])
        await backend.windows.keep(ANN, "default", Window(summary="Ann moved", upto="t1"))
        await leave(backend, "t50")
        await backend.queue.stage(await claimed(backend), "semantic", b"costly")
        sealed = await database_behind(backend).read(sealed_bytes)
        await backend.vault.destroy("ann")
        return found_in(folder, sealed)


async def test_nothing_of_who_was_destroyed_is_left_in_the_files(tmp_path: Path) -> None:
    assert await left_on_disk(tmp_path) == 0


@pytest.mark.parametrize("careless", ["secure_delete", "scrub"])
async def test_what_is_left_in_the_files_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, careless: str
) -> None:
    async def nothing(_: object) -> None:
        pass

    if careless == "secure_delete":
        monkeypatch.setitem(sqlite.PRAGMAS, "secure_delete", "off")
        monkeypatch.delitem(sqlite.DEMANDED, "secure_delete")
    else:
        monkeypatch.setattr(sqlite.SqliteDatabase, "scrub", nothing)
    assert await left_on_disk(tmp_path) > 0


async def test_a_copy_taken_before_does_not_open_with_the_keys_that_are_left(
    tmp_path: Path,
) -> None:
    folder, copy = tmp_path / "data", tmp_path / "copy"
    keys = FileMasterKeys(tmp_path / "master.key")
    async with open_sql(sqlite_url(folder / "memweaver.db"), CIPHER, keys) as backend:
        await backend.store.record([a_turn(), a_turn(scope=BOB)])
        copytree(folder, copy)
        await keys_service(keys, backend).destroy("ann")
        with pytest.raises(NotFound):
            await backend.store.turn(ANN, "t1")
        assert await backend.store.turn(BOB, "t1") == a_turn(scope=BOB)
    with pytest.raises(ConfigurationError):
        async with open_sql(sqlite_url(copy / "memweaver.db"), CIPHER, keys):
            pass
    engine = sqlite.open_engine(sqlite_url(copy / "memweaver.db"), writer=False)
    with engine.begin() as connection:
        [row] = connection.execute(select(user_keys).where(user_keys.c.owner == "ann"))
        with pytest.raises(Unreadable):
            Keyring(CIPHER, keys).key(connection, "ann", row.key_id)
    engine.dispose()


async def test_a_copy_taken_before_opens_while_its_master_key_is_kept(tmp_path: Path) -> None:
    """So it is the destroyed master key that closes the copy, and nothing else."""
    folder, copy = tmp_path / "data", tmp_path / "copy"
    keys = FileMasterKeys(tmp_path / "master.key")
    async with open_sql(sqlite_url(folder / "memweaver.db"), CIPHER, keys) as backend:
        await backend.store.record([a_turn()])
        copytree(folder, copy)
        await backend.vault.destroy("ann")
    async with open_sql(sqlite_url(copy / "memweaver.db"), CIPHER, keys) as backend:
        assert await backend.store.turn(ANN, "t1") == a_turn()


async def test_a_wrapped_key_kept_aside_does_not_open_any_more(url: URL, tmp_path: Path) -> None:
    keys = FileMasterKeys(tmp_path / "master.key")
    async with open_sql(url, CIPHER, keys) as backend:
        await backend.store.record([a_turn()])
        [aside] = await database_behind(backend).read(lambda c: c.execute(select(user_keys)).all())
        await keys_service(keys, backend).destroy("ann")
        with pytest.raises(Unreadable):
            Keyring(CIPHER, keys).rewrapped(aside, keys.current())
