"""Services over adapters that keep everything in the process."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from memweaver.adapters.memory import MemoryMasterKeys, open_memory
from memweaver.adapters.shard import ShardIndex
from memweaver.app.found import Around
from memweaver.app.opening import Minds
from memweaver.app.settings import Settings
from memweaver.app.wiring import build_services
from memweaver.domain.conversation import Message, Role, Said
from memweaver.domain.scope import Scope
from memweaver.ports.backend import Backend
from memweaver.ports.extract import Decider, Summariser
from memweaver.ports.models import Embedder
from memweaver.services import Services
from memweaver.services.courtesy import Courtesy
from memweaver.testing.doubles import HashEmbedder, StoppedClock, Tally
from memweaver.testing.minds import LastWords, ScriptedExtractor

ANN, BOB = Scope("ann"), Scope("bob")
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def heard(text: str, session: str = "default") -> Said:
    """Something the user said."""
    return Said((Message(Role.USER, text),), session)


@dataclass(frozen=True, slots=True)
class House:
    services: Services
    backend: Backend
    clock: StoppedClock
    around: Around
    extractor: ScriptedExtractor = field(default_factory=ScriptedExtractor)


@asynccontextmanager
async def a_house(
    embedder: Embedder | None = None,
    settings: Settings | None = None,
    *,
    extractor: ScriptedExtractor | None = None,
    decider: Decider | None = None,
    summariser: Summariser | None = None,
    around: Around | None = None,
    step: timedelta = timedelta(seconds=1),
) -> AsyncGenerator[House]:
    chosen, mind = embedder or HashEmbedder(), extractor or ScriptedExtractor()
    clock = StoppedClock(NEW_YEAR, step)
    outside = around or Around(figures=Tally(), courtesy=Courtesy(calm=0))
    async with open_memory() as backend:
        services = build_services(
            settings or Settings(),
            clock=clock,
            master_keys=MemoryMasterKeys(),
            backend=backend,
            embedder=chosen,
            index=ShardIndex(backend.changes, chosen.model),
            minds=Minds(mind, decider, summariser or LastWords()),
            around=outside,
        )
        yield House(services, backend, clock, outside, mind)
