"""The key file and the database: whichever is missing, what to do is said and nothing is made."""

from pathlib import Path

import pytest
from pydantic import SecretStr
from tests.servers.postgres import Postgres

import memweaver
from memweaver.app.sections import PostgresStore
from memweaver.app.settings import Settings
from memweaver.domain.memory import Draft
from memweaver.domain.scope import Scope
from memweaver.errors import ConfigurationError

ANN = Scope("ann")


async def test_a_first_start_that_was_cut_off_does_not_lock_the_folder(tmp_path: Path) -> None:
    (tmp_path / "memweaver.db").touch()
    async with memweaver.open(tmp_path) as memory:
        await memory.curate.add(ANN, Draft("The boat lies in Kiel."))
    async with memweaver.open(tmp_path) as memory:
        assert len((await memory.curate.memories(ANN)).items) == 1


async def test_a_database_whose_key_is_lost_gets_no_new_one(tmp_path: Path) -> None:
    async with memweaver.open(tmp_path) as memory:
        await memory.curate.add(ANN, Draft("The boat lies in Kiel."))
    key = tmp_path / "master.key"
    saved = key.read_bytes()
    key.unlink()
    with pytest.raises(ConfigurationError, match="put it back from a backup"):
        async with memweaver.open(tmp_path):
            pass
    assert not key.exists()
    key.touch(0o600)
    key.write_bytes(saved)
    async with memweaver.open(tmp_path) as memory:
        assert len((await memory.curate.memories(ANN)).items) == 1


@pytest.mark.postgres
async def test_neither_does_one_in_postgres(tmp_path: Path, postgres: Postgres) -> None:
    url = SecretStr(postgres.url(postgres.new_database()))
    settings = Settings(store=PostgresStore(url=url))
    async with memweaver.open(tmp_path, settings=settings) as memory:
        await memory.curate.add(ANN, Draft("The boat lies in Kiel."))
    (tmp_path / "master.key").unlink()
    with pytest.raises(ConfigurationError, match="put it back from a backup"):
        async with memweaver.open(tmp_path, settings=settings):
            pass
    assert not (tmp_path / "master.key").exists()
