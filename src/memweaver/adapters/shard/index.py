"""The `Index` port over shards: exact, in memory, as new as the store."""

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter

from anyio import to_thread

from memweaver.adapters.shard.cache import Cache
from memweaver.adapters.shard.following import Following
from memweaver.adapters.shard.reading import Reader
from memweaver.adapters.shard.records import Records
from memweaver.adapters.shard.searching import OpenShard
from memweaver.adapters.shard.segment import Maker
from memweaver.adapters.shard.words import Words
from memweaver.domain.scope import Scope
from memweaver.errors import Unreadable
from memweaver.ports.changes import Changes, Delta, Stamp
from memweaver.ports.index import Index, IndexCapability, Shard

BUDGET = 1_000_000_000
QUICKLY_READ = 8_000
"""Characters of changes up to which following them takes less than a thread is worth."""
AT_LEAST = 250
"""Characters that a text or vector counts for, however short it is."""
QUICKLY_OPENED = 250_000
"""Bytes of a segment up to which opening it takes less than a thread is worth."""
PACKED_AT_ONCE = 512
"""Changes that, had they to be read anew to open a shard, are packed before it is used."""
ATTEMPTS = 5


class ShardIndex(Index):
    """Finds a user's records in memory. `model` names the vectors it searches by."""

    def __init__(
        self,
        changes: Changes,
        model: str,
        *,
        language: str = "english",
        budget_bytes: int = BUDGET,
    ) -> None:
        self._changes = changes
        self._model = model
        self._words = Words(language)
        self._cache = Cache(budget_bytes)

    @property
    def capabilities(self) -> frozenset[IndexCapability]:
        return frozenset({IndexCapability.EXACT, IndexCapability.SEALED})

    async def open(self, scope: Scope, *, since: float | None = None) -> Shard:
        shard = self._cache.get(scope.user)
        if shard is None or since is None or shard.looked_at <= since:
            shard = await self._latest(scope.user)
        snapshot = Records().snapshot() if shard is None else shard.snapshot
        return OpenShard(snapshot, scope, self._words)

    def people(self, scope: Scope) -> Sequence[str]:
        shard = self._cache.get(scope.user)
        return OpenShard(shard.snapshot, scope, self._words).people if shard else ()

    async def erased(self, user: str) -> None:
        """What is not open in memory is in segments only, which the store drops by itself."""
        if self._cache.get(user) is not None:
            try:
                await self.open(Scope(user))
            except Unreadable:
                self._cache.drop(user)

    async def maintain(self) -> None:
        waiting = [(user, shard) for user, shard in self._cache.items() if shard.worth_packing]
        for user, shard in waiting:
            async with self._cache.changing(user):
                if shard.worth_packing:
                    await self._pack(user, shard)

    async def _latest(self, user: str) -> Following | None:
        """As new as the store; `None` if nothing of `user` is there."""
        shard = self._cache.get(user)
        known = None if shard is None else shard.stamp
        asked, stamp = perf_counter(), await self._changes.stamp(user)
        if stamp is None:
            self._cache.drop(user)
            return None
        # What somebody follows meanwhile may lack what changed while they read.
        if shard is None or not known == shard.stamp == stamp:
            return await self._follow(user, stamp)
        shard.looked_at = asked
        return shard

    async def _follow(self, user: str, stamp: Stamp) -> Following:
        """The shard of `user` at `stamp` or later.

        A record that changes while it is read is told under its new version only. So the store is
        asked again until nothing changed meanwhile, but not forever.
        """
        async with self._cache.changing(user):
            shard = self._cache.get(user) or await self._load(user, stamp)
            for _ in range(ATTEMPTS):
                if shard.stamp.epoch != stamp.epoch:
                    shard = await self._load(user, stamp)
                await self._advance(user, shard, stamp.version)
                asked, latest = perf_counter(), await self._changes.stamp(user)
                if latest is None:
                    break
                if latest == shard.stamp:
                    shard.looked_at = asked
                    break
                stamp = latest
            self._cache.put(user, shard)
            return shard

    async def _load(self, user: str, stamp: Stamp) -> Following:
        """Open a shard from its segments, and from the records where there are none."""
        maker = Maker(self._model, self._words.language)
        shard = Following(stamp.epoch, Reader(self._words, self._model), maker, self._model)
        for segment in await self._changes.segments(user):
            await self._advance(user, shard, segment.after)
            await _run(partial(shard.open, segment), len(segment.body) > QUICKLY_OPENED)
        await self._advance(user, shard, stamp.version)
        if shard.unpacked >= PACKED_AT_ONCE:
            await self._pack(user, shard)
        return shard

    async def _advance(self, user: str, shard: Following, upto: int) -> None:
        if upto > shard.stamp.version:
            delta = await self._changes.since(user, shard.stamp.version, upto)
            await _run(partial(shard.apply, delta, upto), _size(delta) > QUICKLY_READ)

    async def _pack(self, user: str, shard: Following) -> None:
        segment = await to_thread.run_sync(shard.packed)
        accepted = await self._changes.keep_segment(user, shard.stamp, segment)
        shard.kept(segment, accepted=accepted)


async def _run(work: Callable[[], object], long: bool) -> None:  # noqa: FBT001 it answers "is it?"
    """Do `work` here, or in a thread if it would hold up the event loop."""
    if long:
        await to_thread.run_sync(work)
    else:
        work()


def _size(delta: Delta) -> int:
    """What there is to read, in characters."""
    said = [message.text for turn in delta.turns for message in turn.messages]
    texts = [*said, *(memory.text for memory in delta.memories)]
    vectors = sum(len(one.vectors) for one in delta.vectors)
    return sum(max(len(text), AT_LEAST) for text in texts) + AT_LEAST * vectors
