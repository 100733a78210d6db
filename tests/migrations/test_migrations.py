"""From every released schema to the newest and back, with data in place, in both dialects."""

from collections.abc import Callable, Generator
from dataclasses import replace
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Column, Connection, Engine, MetaData, Table, Text, inspect
from tests.conformance.backends import some_value

from memweaver.adapters.crypto import open_cipher
from memweaver.adapters.memory import MemoryMasterKeys
from memweaver.adapters.sql import open_sql, postgres, sqlite
from memweaver.adapters.sql.migrate import bring_up_to_date, config_for, current_revision
from memweaver.adapters.sql.schema import metadata
from memweaver.testing.conformance.backend import (
    ANN,
    a_memory,
    a_turn,
    everything,
    memory_ref,
    vectors_for,
)

RELEASED = ["0001", "0002", "0003", "0004"]
"""Every schema that ever left the house, oldest first."""


@pytest.fixture
def engine(url: URL) -> Generator[Engine]:
    if url.get_backend_name() == "sqlite":
        engine = sqlite.open_engine(url, writer=True)
    else:
        engine = postgres.open_engine(url)
    yield engine
    engine.dispose()


def move(engine: Engine, where: Callable[..., None], revision: str) -> None:
    with engine.begin() as connection:
        where(config_for(connection), revision)


def reflected(connection: Connection) -> list[Table]:
    """The tables as they are, those that others refer to first."""
    found = MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != "alembic_version"]


def put_a_row_everywhere(engine: Engine) -> None:
    with engine.begin() as connection:
        for table in reflected(connection):
            given = [column for column in table.columns if column.computed is None]
            row = {column.name: some_value(column) for column in given}
            connection.execute(table.insert(), row)


def rows(engine: Engine) -> dict[str, list[tuple[Any, ...]]]:
    with engine.begin() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(table.select())]
            for table in reflected(connection)
        }


def test_every_released_schema_is_known_and_in_order(engine: Engine) -> None:
    with engine.begin() as connection:
        scripts = ScriptDirectory.from_config(config_for(connection)).walk_revisions()
        assert [script.revision for script in scripts] == RELEASED[::-1]


@pytest.mark.parametrize("revision", RELEASED)
def test_a_released_schema_goes_to_the_newest_and_back_with_its_data(
    engine: Engine, revision: str
) -> None:
    move(engine, command.upgrade, revision)
    put_a_row_everywhere(engine)
    before = rows(engine)
    assert all(len(there) == 1 for there in before.values())
    bring_up_to_date(engine, migrate=True)
    assert before.keys() <= rows(engine).keys()
    move(engine, command.downgrade, revision)
    assert rows(engine) == before
    move(engine, command.downgrade, "base")
    assert rows(engine) == {}
    bring_up_to_date(engine, migrate=True)
    with engine.begin() as connection:
        assert current_revision(connection) == RELEASED[-1]


def test_the_migrations_lead_to_the_schema_of_the_program(engine: Engine) -> None:
    bring_up_to_date(engine, migrate=True)
    with engine.begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert {table.name for table in reflected(connection)} == set(metadata.tables)


@pytest.mark.parametrize("forgotten", ["table", "column", "index"])
def test_a_forgotten_migration_is_noticed(engine: Engine, forgotten: str) -> None:
    bring_up_to_date(engine, migrate=True)
    changed = MetaData()
    for table in metadata.sorted_tables:
        table.to_metadata(changed)
    match forgotten:
        case "table":
            Table("moods", changed, Column("id", Text, primary_key=True))
        case "column":
            changed.tables["turns"].append_column(Column("mood", Text))
        case "index":
            index = next(iter(changed.tables["turns"].indexes))
            changed.tables["turns"].indexes.remove(index)
    with engine.begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), changed) != []


def test_migrating_again_changes_nothing(engine: Engine) -> None:
    bring_up_to_date(engine, migrate=True)
    put_a_row_everywhere(engine)
    before = rows(engine)
    bring_up_to_date(engine, migrate=True)
    assert rows(engine) == before


def test_a_migration_that_fails_leaves_the_schema_as_it_was(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade = command.upgrade

    def cut_off(config: Config, revision: str) -> None:
        upgrade(config, revision)
        raise ZeroDivisionError

    monkeypatch.setattr(command, "upgrade", cut_off)
    with pytest.raises(ZeroDivisionError):
        bring_up_to_date(engine, migrate=True)
    with engine.begin() as connection:
        assert inspect(connection).get_table_names() == []


async def test_going_back_before_quarantine_leaves_nothing_of_it_to_be_recalled(
    url: URL, engine: Engine
) -> None:
    keys, cipher = MemoryMasterKeys(), open_cipher("aes-gcm")
    suspect = replace(a_memory("m2"), quarantined=True)
    refs = [memory_ref("m1"), memory_ref("m2"), memory_ref("m2", 2)]
    async with open_sql(url, cipher, keys) as backend:
        await backend.store.add([a_memory("m1"), suspect])
        await backend.store.revise(a_memory("m2", revision=2))
        await backend.vectors.keep_vectors("ann", [vectors_for(ref, 1) for ref in refs])
    move(engine, command.downgrade, "0001")
    async with open_sql(url, cipher, keys) as backend:
        left = await everything(backend)
        assert [(one.id, one.revision) for one in left.memories] == [("m1", 1), ("m2", 2)]
        assert [one.ref for one in left.vectors] == [refs[0], refs[2]]


async def test_what_was_kept_survives_going_back_and_forth(url: URL, engine: Engine) -> None:
    keys, cipher = MemoryMasterKeys(), open_cipher("aes-gcm")
    async with open_sql(url, cipher, keys) as backend:
        await backend.store.record([a_turn()])
    move(engine, command.downgrade, RELEASED[0])
    async with open_sql(url, cipher, keys) as backend:
        assert await backend.store.turn(ANN, "t1") == a_turn()
