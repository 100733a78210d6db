"""The embedding model is changed: everything is embedded anew while it goes on being found."""

import logging
from asyncio import TaskGroup, timeout
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from memweaver.adapters.crypto import FileMasterKeys, open_cipher
from memweaver.adapters.shard import ShardIndex
from memweaver.adapters.sql import open_sql, sqlite_url
from memweaver.adapters.system import SystemClock
from memweaver.app.found import Around
from memweaver.app.opening import Minds
from memweaver.app.settings import Settings
from memweaver.app.wiring import build_services
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.scope import Scope
from memweaver.services import Services
from memweaver.services.embed import BATCH
from memweaver.testing.doubles import HashEmbedder
from memweaver.testing.minds import LastWords, ScriptedExtractor

ANN = Scope("ann")
RECORDS = 168
"""Enough to be worth a line at the start, and no whole number of batches."""
OLD, NEW = HashEmbedder(64, "old"), HashEmbedder(32, "new")


@asynccontextmanager
async def opened(folder: Path, embedder: HashEmbedder) -> AsyncGenerator[Services]:
    masters = FileMasterKeys(folder / "master.key")
    url = sqlite_url(folder / "memweaver.db")
    async with open_sql(url, open_cipher("aes-gcm"), masters) as backend:
        yield build_services(
            Settings(),
            clock=SystemClock(),
            master_keys=masters,
            backend=backend,
            embedder=embedder,
            index=ShardIndex(backend.changes, embedder.model),
            minds=Minds(ScriptedExtractor(), None, LastWords()),
            around=Around(),
        )


async def embedded_by_the_old_model(folder: Path) -> None:
    said = [Said((Message(Role.USER, f"Boat {number} is red"),)) for number in range(RECORDS)]
    async with opened(folder, OLD) as services:
        await services.record.many(ANN, said)
        await services.maintain.settled()


async def embedded_at_last(services: Services) -> int:
    """How many records are embedded from here on until none waits."""
    done = 0
    while some := await services.embed():
        done += some
    return done


async def test_old_records_are_found_by_words_until_they_are_embedded_anew(tmp_path: Path) -> None:
    await embedded_by_the_old_model(tmp_path)
    async with opened(tmp_path, NEW) as services:
        [best, *_] = (await services.recall(ANN, "Which colour is boat 150?")).hits
        assert (best.text, best.cosine) == ("Boat 150 is red", None)
        await services.maintain.settled()
        [best, *_] = (await services.recall(ANN, "Which colour is boat 150?")).hits
        assert best.text == "Boat 150 is red"
        assert best.cosine is not None


async def test_a_process_that_ends_midway_is_continued_not_repeated(tmp_path: Path) -> None:
    await embedded_by_the_old_model(tmp_path)
    async with opened(tmp_path, NEW) as services:
        assert await services.embed() == BATCH
    async with opened(tmp_path, NEW) as services:
        progress = await services.embed.progress()
        assert (progress.embedded, progress.total) == (BATCH, RECORDS)
        assert await embedded_at_last(services) == RECORDS - BATCH


async def test_the_start_says_what_waits_and_where_to_follow_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    await embedded_by_the_old_model(tmp_path)
    caplog.set_level(logging.INFO)
    async with opened(tmp_path, NEW) as services, timeout(30), TaskGroup() as tasks:
        work = tasks.create_task(services.maintain.run())
        while (await services.embed.progress()).embedded < RECORDS:
            pass
        work.cancel()
    assert (
        f"{RECORDS} of {RECORDS} records have no vector by new yet: they are embedded in the "
        "background and found by words until then (`memweaver embed status` shows how far it is)"
    ) in caplog.messages
