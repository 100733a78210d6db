"""Health: whether each part answers, and how far the background work is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from memweaver.errors import BackendError
from memweaver.ports.index import Index
from memweaver.ports.models import Embedder
from memweaver.ports.vectors import Progress, VectorStore
from memweaver.services.maintain import Maintain

Part = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Report:
    status: Literal["ok", "degraded"]
    parts: Mapping[str, Part]


@dataclass(frozen=True, slots=True)
class Health:
    vectors: VectorStore
    embedder: Embedder
    index: Index
    maintain: Maintain

    async def __call__(self) -> Report:
        store, embedding = await self._store()
        parts = {
            "store": store,
            "embedding": {"model": self.embedder.model, **embedding},
            "index": {"capabilities": sorted(c.name.lower() for c in self.index.capabilities)},
            "background": self._background(),
        }
        well = all(part.get("status", "ok") == "ok" for part in parts.values())
        return Report("ok" if well else "degraded", parts)

    def _background(self) -> Part:
        if self.maintain.trouble:
            return {"status": "failed", "code": self.maintain.trouble}
        return {"status": "ok"}

    async def _store(self) -> tuple[Part, Part]:
        try:
            progress = await self.vectors.progress(self.embedder.model)
        except BackendError as error:
            return {"status": "failed", "code": error.code}, {}
        return {"status": "ok"}, {"embedded": share(progress)}


def share(progress: Progress) -> float:
    """How far embedding is, from 0 to 1; how much there is to embed is nobody's business."""
    return round(progress.embedded / progress.total, 3) if progress.total else 1.0
