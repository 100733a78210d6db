"""Embed: give every record its vectors by the current model, new ones and old ones alike.

A record that was just written, one whose embedding failed and one embedded by an older model are
the same to this service: they wait. All of them are found by words meanwhile.
"""

import logging
from asyncio import Lock
from collections.abc import Sequence
from itertools import groupby

from memweaver.domain.memory import Vector
from memweaver.domain.search import Ref
from memweaver.errors import ModelError
from memweaver.ports.changes import Vectors
from memweaver.ports.models import Embedder
from memweaver.ports.vectors import Progress, Unembedded, VectorStore
from memweaver.services.courtesy import Courtesy

log = logging.getLogger(__name__)

BATCH = 32
"""Records embedded and kept in one go, for which whoever writes something meanwhile waits."""

PIECE = 8
"""Of them beside a crowd, so that whoever comes has the writer soon."""


class Embed:
    def __init__(self, embedder: Embedder, vectors: VectorStore, courtesy: Courtesy) -> None:
        self._embedder = embedder
        self._vectors = vectors
        self._courtesy = courtesy
        self._refused: set[tuple[str, Ref]] = set()
        self._working = Lock()

    @property
    def model(self) -> str:
        return self._embedder.model

    async def __call__(self) -> int:
        """Embed one batch of what waits; how many records that were. Raises `ModelError`."""
        async with self._working:
            waiting = await self._waiting()
            piece = PIECE if self._embedder.here and self._courtesy.crowding else BATCH
            for start in range(0, len(waiting), piece):
                await self._embed_or_set_aside(waiting[start : start + piece])
            return len(waiting)

    async def settled(self) -> None:
        """Embed until nothing waits. Raises `ModelError`."""
        while await self():
            pass

    async def progress(self) -> Progress:
        return await self._vectors.progress(self.model)

    async def _waiting(self) -> Sequence[Unembedded]:
        limit = BATCH + len(self._refused)
        found = await self._vectors.unembedded(self._embedder.model, limit)
        return [one for one in found if (one.user, one.ref) not in self._refused]

    async def _embed_or_set_aside(self, waiting: Sequence[Unembedded]) -> None:
        try:
            await self._embed(waiting)
        except ModelError as error:
            if error.retryable:
                raise
            await self._one_by_one(waiting)

    async def _embed(self, waiting: Sequence[Unembedded]) -> None:
        await self._courtesy.gap()
        made = iter(await self._embedder.embed([text for one in waiting for text in one.texts]))
        by_user = sorted(
            ((one.user, self._vectors_of(one, [next(made) for _ in one.texts])) for one in waiting),
            key=lambda pair: pair[0],
        )
        for user, pairs in groupby(by_user, key=lambda pair: pair[0]):
            await self._courtesy.gap()
            await self._vectors.keep_vectors(user, [vectors for _, vectors in pairs])

    async def _one_by_one(self, waiting: Sequence[Unembedded]) -> None:
        """One text the model will not take must not keep the others waiting."""
        for one in waiting:
            try:
                await self._embed([one])
            except ModelError as error:
                if error.retryable:
                    raise
                self._refused.add((one.user, one.ref))
                log.warning("%s %s stays without a vector: %s", one.ref.kind, one.ref.id, error)

    def _vectors_of(self, one: Unembedded, made: Sequence[Vector]) -> Vectors:
        return Vectors(one.ref, self.model, tuple(made))
