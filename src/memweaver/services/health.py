"""Health: whether each part answers, and how far the background work is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from memweaver.errors import BackendError
from memweaver.ports.index import Index
from memweaver.ports.models import Embedder
from memweaver.ports.vectors import VectorStore

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

    async def __call__(self) -> Report:
        store, embedding = await self._store()
        parts = {
            "store": store,
            "embedding": {"model": self.embedder.model, **embedding},
            "index": {"capabilities": sorted(c.name.lower() for c in self.index.capabilities)},
        }
        return Report("ok" if store["status"] == "ok" else "degraded", parts)

    async def _store(self) -> tuple[Part, Part]:
        try:
            progress = await self.vectors.progress(self.embedder.model)
        except BackendError as error:
            return {"status": "failed", "code": error.code}, {}
        return {"status": "ok"}, {"embedded": progress.embedded, "total": progress.total}
