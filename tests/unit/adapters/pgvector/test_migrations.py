"""The schema of the pgvector index, forth and back, and what refuses to start."""

from collections.abc import Sequence
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, text

from memweaver.adapters.memory import open_memory
from memweaver.adapters.pgvector import migrate, open_pgvector
from memweaver.adapters.pgvector.migrate import VERSION_TABLE, bring_up_to_date, config_for
from memweaver.adapters.pgvector.schema import metadata
from memweaver.adapters.shard.words import Words
from memweaver.errors import ConfigurationError, SchemaMismatch

pytestmark = pytest.mark.postgres

OPENAI = 1536
"""The length of vectors by text-embedding-3-small."""

TYPE = text(
    "SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
    " WHERE attrelid = 'memory_associative'::regclass AND attname = 'embedding'"
)
INDEX = text("SELECT indexdef FROM pg_indexes WHERE indexname = 'memory_associative_embedding_idx'")
ROW = text(
    "INSERT INTO memory_associative (owner, kind, id, revision, ordinal, seat, at, known_from,"
    " flags, length, pairs, mentions, terms, embedded_by, embedding)"
    " VALUES (:owner, 'memory', 'm1', 1, 0, 0, 0, 0, 0, 0, 0, '{}', '{}', 'a-model',"
    " cast(:embedding AS jsonb))"
)
FOLLOWED = text(
    "INSERT INTO memory_associative_users VALUES (:owner, 'epoch', 1, '1 english', 1, 0, 0)"
)


def go_to(connection: Connection, step: str, dimensions: int = OPENAI) -> None:
    config = config_for(connection, dimensions)
    if step == "0002":
        command.upgrade(config, step)
    else:
        command.downgrade(config, step)


def embeddings(connection: Connection) -> Sequence[Any]:
    found = text("SELECT embedding::text FROM memory_associative ORDER BY owner")
    return connection.scalars(found).all()


@pytest.mark.requirement("C5")
def test_the_embedding_is_a_vector_under_an_index_of_its_name(empty: Engine) -> None:
    with empty.begin() as connection:
        bring_up_to_date(connection, OPENAI, migrate=True)
        bring_up_to_date(connection, OPENAI, migrate=False)
        assert connection.scalar(TYPE) == "vector(1536)"
        made = connection.scalar(INDEX)
    assert "USING ivfflat (embedding vector_cosine_ops) WITH (lists='100')" in made


@pytest.mark.requirement("C5")
def test_going_back_drops_the_index_and_returns_to_json(empty: Engine) -> None:
    with empty.begin() as connection:
        bring_up_to_date(connection, OPENAI, migrate=True)
        go_to(connection, "0001")
        assert connection.scalar(TYPE) == "jsonb"
        assert connection.scalar(INDEX) is None
        go_to(connection, "0002")
        assert connection.scalar(TYPE) == "vector(1536)"
        go_to(connection, "base")
        assert connection.scalar(text("SELECT to_regclass('memory_associative')")) is None


@pytest.mark.requirement("C5")
def test_embeddings_are_converted_forth_and_back(empty: Engine) -> None:
    with empty.begin() as connection:
        command.upgrade(config_for(connection, 3), "0001")
        given = {"ann": "[0.5, -1, 2]", "bob": "[1, 2]", "eve": None, "zoe": "null"}
        for owner, embedding in given.items():
            connection.execute(ROW, {"owner": owner, "embedding": embedding})
            connection.execute(FOLLOWED, {"owner": owner})
        go_to(connection, "0002", dimensions=3)
        assert embeddings(connection) == ["[0.5,-1,2]", None, None, None]
        go_to(connection, "0001")
        assert embeddings(connection) == ["[0.5, -1, 2]", None, None, None]


def test_who_has_embeddings_of_another_length_is_read_anew(empty: Engine) -> None:
    with empty.begin() as connection:
        command.upgrade(config_for(connection, 3), "0001")
        for owner, embedding in (("ann", "[0.5, -1, 2]"), ("bob", "[1, 2]")):
            connection.execute(ROW, {"owner": owner, "embedding": embedding})
            connection.execute(FOLLOWED, {"owner": owner})
        go_to(connection, "0002", dimensions=3)
        followed = connection.scalars(text("SELECT owner FROM memory_associative_users")).all()
    assert followed == ["ann"]


def differences(connection: Connection) -> list[Any]:
    """How the tables differ from those the program knows; the vector index is the settings'."""
    options = {"version_table": VERSION_TABLE, "include_object": is_the_programs}
    found: list[Any] = compare_metadata(
        MigrationContext.configure(connection, opts=options), metadata
    )
    return found


def is_the_programs(_: object, name: str | None, *_rest: object) -> bool:
    return name not in {VERSION_TABLE, "memory_associative_embedding_idx"}


def test_the_steps_lead_to_the_tables_that_the_program_knows(engine: Engine) -> None:
    with engine.begin() as connection:
        assert differences(connection) == []
        connection.execute(text("ALTER TABLE memory_associative DROP COLUMN flags"))
        assert len(differences(connection)) == 1


def test_vectors_of_another_length_are_refused_with_what_to_do(engine: Engine) -> None:
    with engine.begin() as connection, pytest.raises(ConfigurationError) as refused:
        bring_up_to_date(connection, OPENAI, migrate=True)
    told = str(refused.value)
    assert "64 numbers" in told
    assert "1536" in told
    remedy = told[told.index("DROP TABLE") : told.rindex("`")]
    with engine.begin() as connection:
        connection.execute(text(remedy))
        bring_up_to_date(connection, OPENAI, migrate=True)


def test_a_schema_from_the_future_is_refused(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
        with pytest.raises(SchemaMismatch, match="9999, which is newer"):
            bring_up_to_date(connection, 64, migrate=True)


def test_without_leave_to_migrate_an_old_schema_is_refused(empty: Engine) -> None:
    with empty.begin() as connection:
        with pytest.raises(SchemaMismatch, match="none, this program needs 0002"):
            bring_up_to_date(connection, 64, migrate=False)
        assert connection.scalar(text("SELECT to_regclass('memory_associative')")) is None


def test_an_old_pgvector_is_refused(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "OLDEST", (99, 0))
    with engine.begin() as connection, pytest.raises(ConfigurationError, match="EXTENSION vector"):
        bring_up_to_date(connection, 64, migrate=True)


async def opening(url: str) -> None:
    words = Words("english")
    async with (
        open_memory() as backend,
        open_pgvector(url, backend.changes, "a-model", 64, method="exact", words=words, pool=1),
    ):
        pass


async def test_a_server_without_pgvector_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="has no pgvector"):
        await opening(f"{url}?options=-c%20extension_control_path%3D/nowhere")


async def test_a_role_without_the_right_is_told_what_to_have_done(url: str, empty: Engine) -> None:
    with empty.begin() as connection:
        connection.execute(text("DROP ROLE IF EXISTS humble"))
        connection.execute(text("CREATE ROLE humble LOGIN"))
    with pytest.raises(ConfigurationError, match="CREATE EXTENSION vector"):
        await opening(url.replace("postgres@", "humble@"))


async def test_nothing_is_opened_at_an_address_that_is_none() -> None:
    for address, told in (("nonsense", "cannot be read"), ("sqlite:///x", "in Postgres only")):
        with pytest.raises(ConfigurationError, match=told):
            await opening(address)
