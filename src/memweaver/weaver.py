"""`MemoryWeaver`: many AIs, each with four collections, for programs that do not await."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

from memweaver import sync
from memweaver.app.settings import Settings
from memweaver.domain.collection import (
    collection_name,
    collection_names,
    importance,
    plain,
    tiers_of,
)
from memweaver.domain.conversation import Metadata
from memweaver.domain.memory import Draft, Memory, Tier
from memweaver.domain.scope import Scope
from memweaver.domain.search import Filter
from memweaver.errors import Conflict, NotFound


class StoredMemory(TypedDict):
    """A memory as it lies in a collection."""

    id: str
    collection: str
    content: str
    metadata: Metadata
    timestamp: str


class MemoryWeaver:
    """The collections of all AIs of one user. An AI has none until its space is created."""

    def __init__(self, services: sync.SyncServices, user: str) -> None:
        self._services = services
        self._user = user

    @classmethod
    @contextmanager
    def open(
        cls,
        data: Path | str | None = None,
        *,
        user: str = "owner",
        settings: Settings | None = None,
    ) -> Generator["MemoryWeaver"]:
        """Open the memory kept in the folder `data`, or where the settings say."""
        with sync.open(data, settings=settings) as services:
            yield cls(services, user)

    def create_ai_memory_space(self, ai_uuid: str, ai_name: str) -> dict[str, str]:
        """Make an AI known; answer the names of its collections, by memory type.

        Raises:
            Conflict: another AI has that UUID.
        """
        ai = self._services.register_ai(self._user, ai_uuid, ai_name)
        if plain(ai.name) != plain(ai_name):
            raise Conflict("`ai_uuid` belongs to an AI of another name")
        return collection_names(ai_uuid, ai_name)

    def store_memory(
        self,
        ai_uuid: str,
        ai_name: str,
        memory_type: str,
        content: str,
        metadata: Metadata | None = None,
    ) -> str:
        """Keep `content` in a collection; answer its id. Raises `InvalidInput`, `NotFound`."""
        [tier, *_] = tiers_of(memory_type)
        metadata = metadata or {}
        scope = self._space(ai_uuid, ai_name)
        draft = Draft(content, tier=tier, importance=importance(metadata), metadata=metadata)
        return self._services.curate.add(scope, draft).id

    def retrieve_memories(
        self,
        ai_uuid: str,
        ai_name: str,
        memory_type: str,
        limit: int = 5,
        filter_query: str | None = None,
    ) -> list[StoredMemory]:
        """The latest of a collection, or those that best answer `filter_query`, best first.

        Raises:
            InvalidInput: also for a memory type that does not exist.
            NotFound: there is no such AI.
        """
        tiers = frozenset(tiers_of(memory_type))
        scope = self._space(ai_uuid, ai_name)
        if filter_query is None:
            found = self._services.curate.memories(scope, tiers=tiers, limit=limit).items
        else:
            found = self._recalled(scope, filter_query, tiers, limit)
        collection = collection_name(memory_type, ai_uuid, ai_name)
        return [stored(memory, collection) for memory in found]

    def move_memory(
        self, ai_uuid: str, ai_name: str, memory_id: str, from_type: str, to_type: str
    ) -> None:
        """Put a memory into another collection of the same AI; it keeps its id.

        Raises:
            InvalidInput: also for a memory type that does not exist.
            NotFound: the collection `from_type` does not hold it.
        """
        sources, [target, *_] = tiers_of(from_type), tiers_of(to_type)
        scope = self._space(ai_uuid, ai_name)
        if self._services.curate.memory(scope, memory_id).tier not in sources:
            raise NotFound("there is no such memory in that collection")
        self._services.curate.move(scope, memory_id, target)

    def _space(self, ai_uuid: str, ai_name: str) -> Scope:
        """The scope of an AI, known by both its UUID and its name."""
        ai = self._services.ai(self._user, ai_uuid)
        if plain(ai.name) != plain(ai_name):
            raise NotFound("there is no AI of that UUID and name")
        return Scope(self._user, ai_uuid)

    def _recalled(
        self, scope: Scope, query: str, tiers: frozenset[Tier], limit: int
    ) -> Sequence[Memory]:
        where = Filter(tiers=tiers, turns=False)
        hits = self._services.recall(scope, query, where=where, limit=limit).hits
        return [self._services.curate.memory(scope, hit.ref.id) for hit in hits]


def stored(memory: Memory, collection: str) -> StoredMemory:
    return StoredMemory(
        id=memory.id,
        collection=collection,
        content=memory.text,
        metadata=memory.metadata,
        timestamp=memory.validity.known_from.isoformat(),
    )
