"""Everything the settings name, opened, with a mind that leaves one memory for each turn."""

from asyncio import sleep
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count
from os import getpid

import numpy as np

from memweaver.adapters.system import SystemClock
from memweaver.app.afterwards import build_worker
from memweaver.app.found import Around
from memweaver.app.opening import (
    Minds,
    open_backend,
    open_doorbell,
    open_index,
    open_master_keys,
    open_windows,
)
from memweaver.app.settings import Settings
from memweaver.app.wiring import build_services
from memweaver.domain.candidate import Aspect, Candidate, CandidateKind, Scene
from memweaver.domain.conversation import Turn
from memweaver.domain.memory import Tier, Vector
from memweaver.ports.backend import Backend
from memweaver.ports.extract import Extractor
from memweaver.services import Services
from memweaver.services.reflect.worker import Worker
from memweaver.testing.doubles import HashEmbedder
from memweaver.testing.minds import LastWords


@dataclass(frozen=True, slots=True)
class Mind(Extractor):
    """Finds one memory in each turn, after some seconds.

    If `marked`, its words differ at every attempt: that a turn is remembered once is then owed to
    the queue alone, and not to what is known about equal words.
    """

    seconds: float = 0.0
    marked: bool = True
    attempts: "count[int]" = field(default_factory=count)

    @property
    def name(self) -> str:
        return "one memory each"

    async def extract(self, scene: Scene, aspect: Aspect) -> Sequence[Candidate]:
        await sleep(self.seconds)
        if aspect is not Aspect.SEMANTIC:
            return []
        return [
            Candidate(self._text(turn), CandidateKind.FACT, Tier.SEMANTIC, turn.id)
            for turn in scene.turns
        ]

    def _text(self, turn: Turn) -> str:
        said = turn.messages[0].text
        return f"{said} at{next(self.attempts)}by{getpid()}" if self.marked else said


class Compass(HashEmbedder):
    """A direction for each text, made anew each time: it remembers none, so that it never grows."""

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        return [self._direction(text) for text in texts]

    def _direction(self, text: str) -> Vector:
        seed = blake2b(text.encode(), digest_size=8).digest()
        there = np.random.default_rng(int.from_bytes(seed)).standard_normal(self.dimensions)
        unit: Vector = (there / np.linalg.norm(there)).astype("<f4").tobytes()
        return unit


@dataclass(frozen=True, slots=True)
class House:
    services: Services
    backend: Backend
    worker: Worker


@asynccontextmanager
async def open_house(settings: Settings, mind: Extractor) -> AsyncGenerator[House]:
    """As the program opens it, but for the mind, and for an embedder that costs nothing."""
    clock, embedder, master_keys = SystemClock(), Compass(), open_master_keys(settings)
    async with (
        open_backend(settings, master_keys) as backend,
        open_index(settings, backend, embedder) as index,
        open_doorbell(settings) as doorbell,
        open_windows(settings, backend) as windows,
    ):
        around = Around(doorbell, windows)
        services = build_services(
            settings,
            clock=clock,
            master_keys=master_keys,
            backend=backend,
            embedder=embedder,
            index=index,
            minds=Minds(mind, None, LastWords()),
            around=around,
        )
        yield House(services, backend, build_worker(settings, services, backend, around, clock))
