"""What the tests of the shard put into it."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from memweaver.adapters.shard.reading import Reader
from memweaver.adapters.shard.searching import OpenShard
from memweaver.adapters.shard.words import Words
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.memory import Memory, Tier, Validity, Vector
from memweaver.domain.question import ask
from memweaver.domain.scope import Scope
from memweaver.domain.search import EVERYTHING, Filter, Hit, Kind, Ref
from memweaver.ports.changes import Changes, Delta, Segment, Stamp, Vectors

ANN = Scope("ann")
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
MODEL = "model"
WORDS = Words("english")
READER = Reader(WORDS, MODEL)


def vector(*numbers: float) -> Vector:
    array = np.array(numbers, np.float32)
    return (array / np.linalg.norm(array)).astype("<f4").tobytes()


def message(text: str, name: str | None = None, role: Role = Role.USER) -> Message:
    return Message(role, text, name)


def turn(
    name: str, *messages: Message, session: str = "s", ai: str | None = None, day: int = 0
) -> Turn:
    at = NOON + timedelta(days=day)
    return Turn(name, Scope("ann", ai), session, at, at, messages)


def memory(name: str, text: str, revision: int = 1, *, closed: bool = False) -> Memory:
    validity = Validity(NOON, NOON + timedelta(days=1) if closed else None)
    return Memory(name, ANN, Tier.SEMANTIC, text, validity, revision)


def vectors(ref: Ref, *made: Vector, model: str = MODEL) -> Vectors:
    return Vectors(ref, model, made)


def turn_vectors(name: str, *made: Vector, model: str = MODEL) -> Vectors:
    return vectors(Ref(Kind.TURN, name), *made, model=model)


def delta(
    turns: Sequence[Turn] = (),
    memories: Sequence[Memory] = (),
    made: Sequence[Vectors] = (),
    erased: Sequence[Ref] = (),
) -> Delta:
    return Delta(turns, memories, made, erased)


class Wrapped(Changes):
    """Another's changes, told as they are; for those who tell them otherwise."""

    def __init__(self, changes: Changes) -> None:
        self._changes = changes

    async def stamp(self, user: str) -> Stamp | None:
        return await self._changes.stamp(user)

    async def since(self, user: str, after: int, upto: int) -> Delta:
        return await self._changes.since(user, after, upto)

    async def records(self, user: str, refs: Collection[Ref]) -> Delta:
        return await self._changes.records(user, refs)

    async def index_key(self, user: str) -> bytes | None:
        return await self._changes.index_key(user)

    async def segments(self, user: str) -> Sequence[Segment]:
        return await self._changes.segments(user)

    async def keep_segment(self, user: str, seen: Stamp, segment: Segment) -> bool:
        return await self._changes.keep_segment(user, seen, segment)


class WithoutSegments(Wrapped):
    """Keeps no segments: whoever follows it reads all from the text."""

    async def segments(self, user: str) -> Sequence[Segment]:
        return []

    async def keep_segment(self, user: str, seen: Stamp, segment: Segment) -> bool:
        return False


def hits(
    shard: OpenShard,
    text: str,
    made: Vector | None = None,
    *,
    where: Filter = EVERYTHING,
    limit: int = 100,
    now: datetime = NOON,
) -> Sequence[Hit]:
    return shard.hits(ask(text, shard.people), made, now=now, where=where, limit=limit)
