"""The shards in memory, the least recently used of which make room."""

from collections import OrderedDict
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from anyio import Lock

from memweaver.adapters.shard.following import Following


class Cache:
    """Holds shards up to `budget` bytes, and at least the one used last."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._shards: OrderedDict[str, Following] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    def items(self) -> Sequence[tuple[str, Following]]:
        """Everybody's shard, the least recently used first."""
        return tuple(self._shards.items())

    @property
    def nbytes(self) -> int:
        return sum(self._sizes.values())

    @asynccontextmanager
    async def changing(self, user: str) -> AsyncGenerator[None]:
        """Only one at a time opens or changes the shard of `user`."""
        lock = self._locks.get(user) or self._locks.setdefault(user, Lock())
        async with lock:
            yield

    def get(self, user: str) -> Following | None:
        shard = self._shards.get(user)
        if shard is not None:
            self._shards.move_to_end(user)
        return shard

    def put(self, user: str, shard: Following) -> None:
        self._shards[user] = shard
        self._shards.move_to_end(user)
        self._sizes[user] = shard.nbytes
        while len(self._shards) > 1 and self.nbytes > self._budget:
            self.drop(next(iter(self._shards)))

    def drop(self, user: str) -> None:
        self._shards.pop(user, None)
        self._sizes.pop(user, None)
