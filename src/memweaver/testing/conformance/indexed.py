"""What the suites of the `Index` port share: how one is opened, filled and asked."""

from abc import abstractmethod
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

import pytest

from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.question import ask
from memweaver.domain.scope import Scope
from memweaver.domain.search import EVERYTHING, Filter, Hit
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Vectors
from memweaver.ports.index import Index
from memweaver.testing.conformance.backend import ANN, MODEL, NOON, BackendSuite, later
from memweaver.testing.doubles import HashEmbedder

DIMENSIONS = 64
TOLERANCE = 1e-6


def said(
    name: str,
    *texts: str,
    scope: Scope = ANN,
    session: str = "default",
    person: str | None = None,
    after: int = 0,
) -> Turn:
    """A turn in which a user and an assistant speak by turns, recorded as it was said."""
    roles = (Role.USER, Role.ASSISTANT) * len(texts)
    messages = tuple(
        Message(role, text, person if role is Role.USER else None)
        for role, text in zip(roles, texts, strict=False)
    )
    return Turn(name, scope, session, later(after), later(after), messages)


async def embed(backend: Backend, user: str = "ann", model: str = MODEL) -> None:
    """Give vectors by `model` to all that waits for them."""
    embedder = HashEmbedder(DIMENSIONS, model)
    for one in await backend.vectors.unembedded(model, 100):
        if one.user == user:
            vectors = tuple(await embedder.embed(one.texts))
            await backend.vectors.keep_vectors(user, [Vectors(one.ref, model, vectors)])


async def hits(
    index: Index,
    text: str,
    *,
    scope: Scope = ANN,
    where: Filter = EVERYTHING,
    limit: int = 10,
    by_meaning: bool = True,
    since: float | None = None,
) -> Sequence[Hit]:
    """What is found a day after noon."""
    shard = await index.open(scope, since=since)
    question = ask(text, shard.people)
    [vector] = await HashEmbedder(DIMENSIONS, MODEL).embed([question.bare])
    return await shard.search(
        question,
        vector if by_meaning else None,
        now=NOON + timedelta(days=1),
        where=where,
        limit=limit,
    )


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.ref.id for hit in hits]


def comparable(hits: Sequence[Hit]) -> list[tuple[object, ...]]:
    """Hits as far as two indexes must agree on them, those equally good in one order."""

    def bare(hit: Hit) -> tuple[object, ...]:
        score = round(hit.score, 5), None if hit.cosine is None else round(hit.cosine, 5)
        return (*score, hit.ref, hit.ordinal, hit.text, hit.at, hit.speaker, hit.session, hit.tier)

    return sorted(map(bare, hits), key=repr)


class IndexedSuite(BackendSuite):
    """Subclass, and say how to open an index of `MODEL`, of `DIMENSIONS`, over a backend."""

    @abstractmethod
    def open_index(self, backend: Backend) -> AbstractAsyncContextManager[Index]: ...

    @pytest.fixture
    async def index(self, backend: Backend) -> AsyncGenerator[Index]:
        async with self.open_index(backend) as index:
            yield index
