"""The schema of the pgvector index, forth and back, and what refuses to start."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Engine, text
from tests.unit.adapters.pgvector.house import MODEL, WORDS, a_turn, hits, put, topics

from memweaver.adapters.memory import open_memory
from memweaver.adapters.pgvector import migrate, open_pgvector
from memweaver.adapters.pgvector.migrate import VERSION_TABLE, bring_up_to_date, config_for
from memweaver.adapters.pgvector.schema import metadata
from memweaver.adapters.shard.words import Words
from memweaver.domain.search import Kind, Ref
from memweaver.errors import ConfigurationError, SchemaMismatch
from memweaver.ports.changes import Vectors

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


async def test_a_model_of_another_length_needs_nothing_done_by_hand(
    url: str, engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_memory() as backend:
        await backend.store.record([a_turn("t1", "I moved to Oslo"), a_turn("t2", "Tea")])
        for dimensions in (64, 96, 64):
            async with open_pgvector(
                url, backend.changes, MODEL, dimensions, method="hnsw", words=WORDS, pool=1
            ) as index:
                [best, *_] = await hits(index, "Who moved to Oslo?")
                assert (best.text, best.cosine) == ("I moved to Oslo", None)
                vector = np.full(dimensions, dimensions**-0.5, np.float32)
                made = Vectors(Ref(Kind.TURN, "t1"), MODEL, (vector.tobytes(),))
                await backend.vectors.keep_vectors("ann", [made])
                [best, *_] = await hits(index, "Who moved to Oslo?", vector)
                assert best.cosine == pytest.approx(1.0, abs=1e-5)
            with engine.begin() as connection:
                assert connection.scalar(TYPE) == f"vector({dimensions})"
                assert "USING hnsw" in connection.scalar(INDEX)
    told = [message for message in caplog.messages if "pgvector index" in message]
    assert [message.partition(":")[0] for message in told] == [
        "The embedder makes vectors of 96 numbers, not 64 as before",
        "The embedder makes vectors of 64 numbers, not 96 as before",
    ]


def test_another_length_keeps_the_kind_of_index_where_there_can_be_one(engine: Engine) -> None:
    put(engine, "ann", topics(3, of=1))
    for dimensions, made in ((OPENAI, "USING ivfflat"), (3072, None), (64, None)):
        with engine.begin() as connection:
            bring_up_to_date(connection, dimensions, migrate=True)
            assert connection.scalar(TYPE) == f"vector({dimensions})"
            assert (made or "") in (connection.scalar(INDEX) or "")
            assert bool(connection.scalar(INDEX)) is bool(made)
            assert embeddings(connection) == []


def test_without_leave_to_migrate_another_length_is_refused(engine: Engine) -> None:
    put(engine, "ann", topics(3, of=1))
    with engine.begin() as connection:
        with pytest.raises(SchemaMismatch, match="64 numbers and the embedder makes 1536"):
            bring_up_to_date(connection, OPENAI, migrate=False)
        assert len(embeddings(connection)) == 3


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
