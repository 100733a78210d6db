"""Users with records in an index, for the tests of the pgvector adapter."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine
from tests.unit.adapters.pgvector.conftest import DIMENSIONS

from memweaver.adapters.pgvector import EXACT_BELOW, open_pgvector
from memweaver.adapters.pgvector.blind import Blind
from memweaver.adapters.pgvector.candidates import Looking
from memweaver.adapters.pgvector.filters import admitted
from memweaver.adapters.pgvector.following import Step, read_state, take
from memweaver.adapters.pgvector.rows import Reader, turn_ref
from memweaver.adapters.shard.words import Words
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.question import ask
from memweaver.domain.scope import Scope
from memweaver.domain.search import EVERYTHING, Hit
from memweaver.ports.changes import Changes, Delta, Vectors
from memweaver.ports.index import Index

MODEL = "a-model"
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
WORDS = Words("english")
READER = Reader(WORDS, DIMENSIONS)
BLIND = Blind(bytes(range(32)))

Method = Literal["exact", "ivfflat", "hnsw"]
Floats = NDArray[np.float32]


def a_turn(name: str, text: str, *, user: str = "ann", session: str = "default") -> Turn:
    return Turn(name, Scope(user), session, NOON, NOON, (Message(Role.USER, text),))


def topics(rows: int, of: int, seed: int = 7) -> Floats:
    """Unit vectors that lie around some topics, as those of texts do."""
    chance = np.random.default_rng(seed)
    centres = chance.standard_normal((of, DIMENSIONS))
    near = centres[chance.integers(0, of, rows)] + 0.6 * chance.standard_normal((rows, DIMENSIONS))
    unit: Floats = (near / np.linalg.norm(near, axis=1, keepdims=True)).astype(np.float32)
    return unit


def put(engine: Engine, user: str, vectors: Iterable[Floats | None]) -> None:
    """Give a user turns with these vectors, named by their number; `None` is not embedded."""
    turns, made = list[Turn](), list[Vectors]()
    for number, vector in enumerate(vectors):
        turns.append(a_turn(str(number), "words", user=user))
        if vector is not None:
            made.append(Vectors(turn_ref(turns[-1]), MODEL, (vector.tobytes(),)))
    with engine.begin() as connection:
        assert take(connection, user, first_step(connection, user, Delta(turns, [], made, [])))


def first_step(connection: Connection, user: str, delta: Delta) -> Step:
    before = read_state(connection, user)
    return Step(before, "epoch", 1, READER.made_by, READER.rows(delta, BLIND), frozenset(), [])


def looking(engine: Engine, user: str, vector: Floats | None, *, limit: int = 10) -> Looking:
    scope = Scope(user)
    with engine.begin() as connection:
        rows = read_state(connection, user).rows
    return Looking(scope, admitted(scope, BLIND, EVERYTHING, NOON), rows, vector, MODEL, limit)


@asynccontextmanager
async def an_index(
    url: str, changes: Changes, *, method: Method = "exact", exact_below: int = EXACT_BELOW
) -> AsyncGenerator[Index]:
    async with open_pgvector(
        url,
        changes,
        MODEL,
        DIMENSIONS,
        method=method,
        words=WORDS,
        pool=2,
        exact_below=exact_below,
    ) as index:
        yield index


async def hits(index: Index, text: str, vector: Floats | None = None) -> Sequence[Hit]:
    shard = await index.open(Scope("ann"))
    asked = None if vector is None else vector.tobytes()
    now = NOON + timedelta(days=1)
    return await shard.search(ask(text, shard.people), asked, now=now, where=EVERYTHING, limit=10)
