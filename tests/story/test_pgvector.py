"""The same memory with its index in Postgres: recorded, recalled, erased, destroyed."""

from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlalchemy import create_engine, text
from tests.servers.postgres import Postgres

from memweaver.app.sections import (
    PgvectorIndexSettings,
    PostgresStore,
    ReflectorSettings,
    SqliteStore,
)
from memweaver.app.settings import Settings
from memweaver.app.wiring import open_services
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.scope import Scope
from memweaver.errors import ConfigurationError

ANN = Scope("ann")


@pytest.mark.postgres
async def test_a_turn_is_recalled_by_meaning_until_it_is_erased(
    tmp_path: Path, postgres: Postgres
) -> None:
    url = SecretStr(postgres.url(postgres.new_database()))
    settings = Settings(
        data=tmp_path,
        store=PostgresStore(url=url, pool=2),
        index=PgvectorIndexSettings(method="hnsw"),
        reflector=ReflectorSettings(inside=False),
    )
    async with open_services(settings) as memory:
        told = Said((Message(Role.USER, "My sister Ada moved to Lisbon"),))
        await memory.record.many(ANN, [told, Said((Message(Role.USER, "Tea, please"),))])
        await memory.maintain.settled()
        [best, other] = (await memory.recall(ANN, "Which city does my sibling live in?")).hits
        assert best.text == "My sister Ada moved to Lisbon"
        assert best.cosine is not None
    async with open_services(settings) as memory:
        await memory.curate.erase_turn(ANN, best.ref.id)
        assert kept(url.get_secret_value()) == [other.ref.id]
        assert [hit.ref for hit in (await memory.recall(ANN, "Ada")).hits] == [other.ref]
    async with open_services(settings) as memory:
        await memory.keys.destroy("ann")
        assert kept(url.get_secret_value()) == []
        assert (await memory.recall(ANN, "Ada")).hits == []


def kept(url: str) -> list[str]:
    """The ids in the rows of the index."""
    engine = create_engine(url.replace("postgresql", "postgresql+psycopg", 1))
    with engine.begin() as connection:
        ids = connection.scalars(text("SELECT id FROM memory_associative")).all()
    engine.dispose()
    return list(ids)


async def test_it_needs_the_store_in_postgres(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, store=SqliteStore(), index=PgvectorIndexSettings())
    with pytest.raises(ConfigurationError, match="needs the store of kind postgres"):
        async with open_services(settings):
            pass
