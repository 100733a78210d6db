"""What the suites of the storing ports share: how a backend is opened, and what is put into it."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta

import pytest

from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.memory import Memory, Tier, Validity
from memweaver.domain.scope import Scope
from memweaver.domain.search import Kind, Ref
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Delta, Stamp, Vectors
from memweaver.ports.keys import Rotation

ANN = Scope("ann")
ANN_AT_WORK = Scope("ann", "work")
ANN_AT_HOME = Scope("ann", "home")
BOB = Scope("bob")
NOON = datetime(2026, 1, 1, 12, 0, 0, 123456, tzinfo=UTC)

MODEL = "small-model"
"""Some embedding model's name."""


class BackendSuite(ABC):
    """Subclass a suite, and say how to open an empty backend."""

    @abstractmethod
    def open_backend(self) -> AbstractAsyncContextManager[Backend]: ...

    @pytest.fixture
    async def backend(self) -> AsyncGenerator[Backend]:
        async with self.open_backend() as backend:
            yield backend


def later(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)


def a_turn(
    name: str = "t1",
    text: str = "I moved to Oslo",
    *,
    scope: Scope = ANN,
    session: str = "default",
    after: int = 0,
) -> Turn:
    """A turn recorded `after` minutes past noon, of things said the day before."""
    messages = (Message(Role.USER, text, name="Ann"), Message(Role.ASSISTANT, "Noted."))
    recorded_at = later(after)
    said_at = recorded_at - timedelta(days=1)
    return Turn(name, scope, session, said_at, recorded_at, messages, {"source": "chat"})


def a_memory(
    name: str = "m1",
    text: str = "Ann lives in Oslo",
    *,
    scope: Scope = ANN,
    tier: Tier = Tier.SEMANTIC,
    key: str | None = None,
    after: int = 0,
    revision: int = 1,
) -> Memory:
    """A memory known since `after` minutes past noon."""
    validity = Validity(later(after))
    return Memory(name, scope, tier, text, validity, revision, key, metadata={"source": "chat"})


def vectors_for(ref: Ref, *numbers: int, model: str = MODEL) -> Vectors:
    """Vectors that can be told apart by a number each."""
    return Vectors(ref, model, tuple(number.to_bytes(4, "little") * 2 for number in numbers))


def turn_ref(name: str = "t1") -> Ref:
    return Ref(Kind.TURN, name)


def memory_ref(name: str = "m1", revision: int = 1) -> Ref:
    return Ref(Kind.MEMORY, name, revision)


async def stamp_of(backend: Backend, user: str = "ann") -> Stamp:
    """The stamp of somebody who is there."""
    stamp = await backend.changes.stamp(user)
    assert stamp is not None
    return stamp


async def everything(backend: Backend, user: str = "ann") -> Delta:
    """All that is there of a user, as an index would read it from the beginning."""
    stamp = await backend.changes.stamp(user)
    return await backend.changes.since(user, 0, stamp.version if stamp else 0)


async def ended(rotation: AsyncIterator[Rotation]) -> list[Rotation]:
    return [progress async for progress in rotation]
