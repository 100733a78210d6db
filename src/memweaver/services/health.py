"""Health: whether each part answers, and how far the background work is."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from memweaver.errors import BackendError
from memweaver.ports.clock import Clock
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.index import Index
from memweaver.ports.models import Embedder
from memweaver.ports.queue import Queue
from memweaver.ports.vectors import Progress, VectorStore
from memweaver.services.maintain import Maintain
from memweaver.services.upkeep import Upkeep

Part = Mapping[str, object]
WELL: Part = {"status": "ok"}
NEEDED = ("store",)
"""The parts without which nothing can be recorded or recalled; without the others it can."""

STOPPING = "stopping"
"""The code of a process that has been told to stop."""


class Troubled(Protocol):
    """What says by itself whether it works, and goes on by itself when it does again."""

    @property
    def trouble(self) -> str | None: ...


class Leaving:
    """Whether this process has been told to stop."""

    begun = False

    def begin(self) -> None:
        self.begun = True


@dataclass(frozen=True, slots=True)
class Report:
    """`serving` says whether requests are worth sending here; a degraded one may well serve."""

    status: Literal["ok", "degraded"]
    serving: bool
    parts: Mapping[str, Part]


@dataclass(frozen=True, slots=True)
class Health:
    vectors: VectorStore
    embedder: Embedder
    index: Index
    maintain: Maintain
    queue: Queue
    unqueued: Troubled
    doorbell: Doorbell
    windows: Troubled
    clock: Clock
    upkeep: Upkeep
    leaving: Leaving = field(default_factory=Leaving)

    async def ready(self) -> str | None:
        """Why nothing should be sent here now, as a code; `None` if it should.

        That the schema fits was seen when the store was opened: without it there is no service.
        """
        if self.leaving.begun:
            return STOPPING
        store, _ = await self._store()
        return None if well(store) else str(store["code"])

    async def __call__(self) -> Report:
        store, embedding = await self._store()
        parts = {
            "store": store,
            "queue": await self._queue(),
            "doorbell": in_order(self.doorbell.trouble),
            "working": in_order(self.windows.trouble),
            "embedding": {"model": self.embedder.model, **embedding},
            "index": {"capabilities": sorted(c.name.lower() for c in self.index.capabilities)},
            "background": in_order(self.maintain.trouble),
            "tasks": self._tasks(),
        }
        return Report(
            status="ok" if all(map(well, parts.values())) else "degraded",
            serving=all(well(parts[name]) for name in NEEDED),
            parts=parts,
        )

    async def _store(self) -> tuple[Part, Part]:
        try:
            progress = await self.vectors.progress(self.embedder.model)
        except BackendError as error:
            return in_order(error.code), {}
        return WELL, {"embedded": share(progress)}

    def _tasks(self) -> Part:
        """What goes on beside requests, with the names of what had to be begun again."""
        troubles = sorted(self.upkeep.troubles.items())
        if not troubles:
            return WELL
        return {**in_order(troubles[0][1]), "names": [name for name, _ in troubles]}

    async def _queue(self) -> Part:
        try:
            depth = await self.queue.depth()
        except BackendError as error:
            return in_order(error.code)
        return {
            **in_order(self.unqueued.trouble),
            "waiting": depth.waiting,
            "running": depth.running,
            "dead": depth.dead,
            "oldest_seconds": round(depth.age(self.clock.now()).total_seconds(), 1),
        }


def in_order(trouble: str | None) -> Part:
    """A part that works, or that does not, with the code of why."""
    return {"status": "failed", "code": trouble} if trouble else WELL


def well(part: Part) -> bool:
    return part.get("status", "ok") == "ok"


def share(progress: Progress) -> float:
    """How far embedding is, from 0 to 1; how much there is to embed is nobody's business."""
    return round(progress.embedded / progress.total, 3) if progress.total else 1.0
