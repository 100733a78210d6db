"""A memory on disk as the program opens it, but with an embedder of our choice."""

import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.synthetic import Talk
from benchmarks.tables import progress
from memweaver.adapters.shard import ShardIndex
from memweaver.adapters.system import SystemClock
from memweaver.app.found import Around
from memweaver.app.opening import Minds, open_backend, open_index, open_master_keys
from memweaver.app.sections import ReflectorSettings
from memweaver.app.settings import Settings
from memweaver.app.wiring import build_services
from memweaver.domain.scope import Scope
from memweaver.ports.backend import Backend
from memweaver.ports.index import Index
from memweaver.ports.models import Embedder
from memweaver.services import Services
from memweaver.testing.minds import LastWords, ScriptedExtractor

BATCH = 500
"""Turns handed in at once while loading."""


@dataclass(frozen=True, slots=True)
class Opened:
    services: Services
    backend: Backend
    embedder: Embedder

    def fresh_index(self) -> Index:
        """An index that has nothing open yet."""
        return ShardIndex(self.backend.changes, self.embedder.model)


@asynccontextmanager
async def open_memory(folder: Path, embedder: Embedder) -> AsyncGenerator[Opened]:
    """SQLite and the default settings, but no reflection; embedding only when asked for."""
    settings = Settings(data=folder, reflector=ReflectorSettings(queue_enabled=False))
    master_keys = open_master_keys(settings)
    async with (
        open_backend(settings, master_keys) as backend,
        open_index(settings, backend, embedder) as index,
    ):
        services = build_services(
            settings,
            clock=SystemClock(),
            master_keys=master_keys,
            backend=backend,
            embedder=embedder,
            index=index,
            minds=Minds(ScriptedExtractor(), None, LastWords()),
            around=Around(),
        )
        yield Opened(services, backend, embedder)


async def load(services: Services, talks: Sequence[tuple[Scope, Talk]], title: str) -> None:
    """Record what was said, embed it, and open every shard once, so that its segments are made."""
    total = sum(len(talk.said) for _, talk in talks)
    with progress() as bar:
        recording = bar.add_task(title, total=total)
        for scope, talk in talks:
            for start in range(0, len(talk.said), BATCH):
                batch = talk.said[start : start + BATCH]
                await services.record.many(scope, batch)
                bar.advance(recording, len(batch))
        embedding = bar.add_task("embed", total=total)
        while done := await services.embed():
            bar.advance(embedding, done)
        for scope, _ in bar.track(talks, description="index"):
            await services.recall.index.open(scope)
        await services.maintain.settled()


@contextmanager
def fresh(folder: Path) -> Generator[Path]:
    """A copy of a memory, to be talked into."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as own:
        yield Path(shutil.copytree(folder, own, dirs_exist_ok=True))
