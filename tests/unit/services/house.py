"""Services over adapters that keep everything in the process."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memweaver.adapters.memory import MemoryMasterKeys, open_memory
from memweaver.adapters.shard import ShardIndex
from memweaver.app.settings import Settings
from memweaver.app.wiring import build_services
from memweaver.domain.scope import Scope
from memweaver.ports.backend import Backend
from memweaver.ports.models import Embedder
from memweaver.services import Services
from memweaver.testing.doubles import HashEmbedder, StoppedClock

ANN, BOB = Scope("ann"), Scope("bob")
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class House:
    services: Services
    backend: Backend
    clock: StoppedClock


@asynccontextmanager
async def a_house(
    embedder: Embedder | None = None, settings: Settings | None = None
) -> AsyncGenerator[House]:
    chosen = embedder or HashEmbedder()
    clock = StoppedClock(NEW_YEAR, timedelta(seconds=1))
    async with open_memory() as backend:
        services = build_services(
            settings or Settings(),
            clock=clock,
            master_keys=MemoryMasterKeys(),
            backend=backend,
            embedder=chosen,
            index=ShardIndex(backend.changes, chosen.model),
        )
        yield House(services, backend, clock)
