"""The port to the vectors that records have, lack, or have from an older model."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from memweaver.domain.search import Ref
from memweaver.ports.changes import Vectors


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A record that has no vectors by a model."""

    user: str
    ref: Ref
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    embedded: int
    total: int


class VectorStore(Protocol):
    """Keeps the vectors of records, sealed. A record is kept and searchable without them."""

    @abstractmethod
    async def unembedded(self, model: str, limit: int) -> Sequence[Unembedded]:
        """Records of any user without vectors by `model`, oldest first. Costs nothing if none.

        Records that cannot be opened (a destroyed key) are left out.
        """
        ...

    @abstractmethod
    async def keep_vectors(self, user: str, vectors: Sequence[Vectors]) -> None:
        """Keep vectors in place of those the records had; skip records that are gone."""
        ...

    @abstractmethod
    async def progress(self, model: str) -> Progress:
        """How many records have vectors by `model`, of how many."""
        ...
