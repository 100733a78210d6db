"""How the index opens, shares, packs and lets go of shards."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import replace
from threading import Thread, current_thread, main_thread
from time import perf_counter

import anyio
import pytest
from tests.unit.adapters.shard.house import (
    ANN,
    MODEL,
    NOON,
    WithoutSegments,
    Wrapped,
    hits,
    message,
    turn,
    turn_vectors,
    vector,
)

from memweaver.adapters.memory import open_memory
from memweaver.adapters.shard import ShardIndex, searching
from memweaver.adapters.shard import index as index_module
from memweaver.adapters.shard.following import Following
from memweaver.adapters.shard.searching import OpenShard
from memweaver.domain.question import ask
from memweaver.domain.scope import Scope
from memweaver.domain.search import EVERYTHING
from memweaver.errors import ConfigurationError, Unreadable
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Delta, Segment, Stamp
from memweaver.ports.index import IndexCapability
from memweaver.testing.conformance.indexed import comparable


class Watched(Wrapped):
    """Counts what is asked of it."""

    looked = 0
    opened = 0
    told = 0
    packed = 0

    async def stamp(self, user: str) -> Stamp | None:
        self.looked += 1
        return await super().stamp(user)

    async def segments(self, user: str) -> Sequence[Segment]:
        self.opened += 1
        await anyio.lowlevel.checkpoint()
        return await super().segments(user)

    async def since(self, user: str, after: int, upto: int) -> Delta:
        delta = await super().since(user, after, upto)
        self.told += len(delta.turns)
        return delta

    async def keep_segment(self, user: str, seen: Stamp, segment: Segment) -> bool:
        self.packed += 1
        await anyio.lowlevel.checkpoint()
        return await super().keep_segment(user, seen, segment)


@pytest.fixture
async def backend() -> AsyncGenerator[Backend]:
    async with open_memory() as backend:
        yield backend


async def say(backend: Backend, count: int, user: str = "ann", start: int = 0) -> None:
    names = [f"t{number}" for number in range(start, start + count)]
    turns = [turn(name, message(f"Tea number {name}")) for name in names]
    await backend.store.record([replace(one, scope=Scope(user)) for one in turns])
    await backend.vectors.keep_vectors(user, [turn_vectors(name, vector(1, 2)) for name in names])


async def opened(index: ShardIndex, user: str = "ann", since: float | None = None) -> OpenShard:
    shard = await index.open(Scope(user), since=since)
    assert isinstance(shard, OpenShard)
    return shard


async def test_a_shard_is_opened_once_though_many_ask(backend: Backend) -> None:
    await say(backend, 5)
    changes = Watched(backend.changes)
    index = ShardIndex(changes, MODEL)
    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(index.open, ANN)
    assert (changes.opened, changes.told) == (1, 5)


async def test_an_unchanged_shard_is_not_read_again(backend: Backend) -> None:
    await say(backend, 5)
    changes = Watched(backend.changes)
    index = ShardIndex(changes, MODEL)
    assert (await opened(index)).snapshot is (await opened(index)).snapshot
    await say(backend, 1, start=5)
    assert len((await opened(index)).snapshot) == 6
    assert (changes.opened, changes.told) == (1, 6)


async def test_who_asked_before_somebody_else_looked_need_not_look(backend: Backend) -> None:
    await say(backend, 5)
    changes = Watched(backend.changes)
    index, asked = ShardIndex(changes, MODEL), perf_counter()
    for _ in range(2):  # it is followed, then found unchanged
        await opened(index)
        looked = changes.looked
        assert len((await opened(index, since=asked)).snapshot) == 5
        assert changes.looked == looked
        asked = perf_counter()
    await say(backend, 1, start=5)
    assert len((await opened(index, since=perf_counter())).snapshot) == 6


class Slow(Watched):
    """Tells how new the store is a while after it has looked."""

    meanwhile: Callable[[], Awaitable[object]] | None = None
    last = 1
    """The look at which it happens."""

    async def stamp(self, user: str) -> Stamp | None:
        stamp = await super().stamp(user)
        if self.meanwhile and self.looked >= self.last:
            happens, self.meanwhile = self.meanwhile, None
            await happens()
        return stamp


@pytest.mark.parametrize("known", [True, False])
async def test_what_is_written_while_the_store_is_looked_at_is_not_taken_for_seen(
    backend: Backend,
    known: bool,  # noqa: FBT001 - given by its name
) -> None:
    await say(backend, 5)
    changes = Slow(backend.changes)
    index, asked = ShardIndex(changes, MODEL), list[float]()

    async def written() -> None:
        await say(backend, 1, start=5)
        asked.append(perf_counter())

    if known:
        await opened(index)
    changes.meanwhile, changes.last = written, changes.looked + (1 if known else 2)
    await opened(index)
    assert len((await opened(index, since=asked[0])).snapshot) == 6


async def test_who_finds_a_shard_followed_meanwhile_looks_whether_it_is_complete(
    backend: Backend,
) -> None:
    await say(backend, 2)
    changes = Slow(backend.changes)
    index = ShardIndex(changes, MODEL)
    await opened(index)
    [(_, shard)] = index._cache.items()
    await backend.store.record([turn("moved", message("Tea"))])

    async def followed() -> None:
        """By one who read when what was told was told under a newer version already."""
        await backend.store.record([turn("later", message("Tea"))])
        shard._reached(shard.stamp.version + 1)

    changes.meanwhile = followed
    assert len((await opened(index)).snapshot) == 3


async def test_of_somebody_who_is_destroyed_meanwhile_nothing_stays(backend: Backend) -> None:
    class Destroyed(Watched):
        async def since(self, user: str, after: int, upto: int) -> Delta:
            delta = await super().since(user, after, upto)
            await backend.vault.destroy(user)
            return delta

    await say(backend, 5)
    index, asked = ShardIndex(Destroyed(backend.changes), MODEL), perf_counter()
    await opened(index)
    assert len((await opened(index, since=asked)).snapshot) == 0


async def test_what_is_erased_leaves_an_open_shard_at_once_and_opens_no_other(
    backend: Backend,
) -> None:
    await say(backend, 5)
    changes = Watched(backend.changes)
    index = ShardIndex(changes, MODEL)
    await index.erased("ann")
    assert changes.opened == 0
    await opened(index)
    await backend.store.erase_turn(ANN, "t1")
    await index.erased("ann")
    [(_, shard)] = index._cache.items()
    assert len(shard.snapshot) == 4
    await backend.vault.destroy("ann")
    await index.erased("ann")
    assert index._cache.items() == ()


async def test_an_open_shard_is_let_go_if_what_was_erased_cannot_be_followed(
    backend: Backend,
) -> None:
    class Damaged(Watched):
        async def since(self, user: str, after: int, upto: int) -> Delta:
            if after:
                raise Unreadable("this record does not open")
            return await super().since(user, after, upto)

    await say(backend, 5)
    index = ShardIndex(Damaged(backend.changes), MODEL)
    await opened(index)
    await backend.store.erase_turn(ANN, "t1")
    await index.erased("ann")
    assert index._cache.items() == ()


async def test_shards_that_need_too_much_room_are_opened_again(backend: Backend) -> None:
    for user in ("ann", "bob"):
        await say(backend, 5, user)
    changes = Watched(backend.changes)
    index = ShardIndex(changes, MODEL, budget_bytes=1)
    for user in ("ann", "bob", "ann"):
        assert len((await opened(index, user)).snapshot) == 5
    assert changes.opened == 3


async def test_a_maintained_shard_opens_without_reading_a_record(backend: Backend) -> None:
    await say(backend, 40)
    index = ShardIndex(backend.changes, MODEL)
    await opened(index)
    await say(backend, 40, start=40)
    await opened(index)
    await index.maintain()
    changes = Watched(backend.changes)
    shard = await opened(ShardIndex(changes, MODEL))
    assert (len(shard.snapshot), changes.told) == (80, 0)


async def test_a_shard_read_from_the_text_is_packed_at_once(backend: Backend) -> None:
    await say(backend, index_module.PACKED_AT_ONCE)
    await opened(ShardIndex(backend.changes, MODEL))
    assert len(await backend.changes.segments("ann")) == 1


async def test_two_who_maintain_at_once_pack_once(backend: Backend) -> None:
    await say(backend, 100)
    changes = Watched(backend.changes)
    index = ShardIndex(changes, MODEL)
    await opened(index)
    async with anyio.create_task_group() as tasks:
        for _ in range(2):
            tasks.start_soon(index.maintain)
    assert changes.packed == 1


async def test_little_is_not_worth_packing(backend: Backend) -> None:
    await say(backend, 3)
    index = ShardIndex(backend.changes, MODEL)
    await opened(index)
    await index.maintain()
    assert await backend.changes.segments("ann") == []


async def test_segments_of_another_model_or_language_are_made_anew(backend: Backend) -> None:
    await say(backend, index_module.PACKED_AT_ONCE)
    await opened(ShardIndex(backend.changes, MODEL))
    for other in (
        ShardIndex(backend.changes, "another"),
        ShardIndex(backend.changes, MODEL, language="german"),
        ShardIndex(backend.changes, MODEL),
    ):
        changes = Watched(backend.changes)
        other._changes = changes
        assert len((await opened(other)).snapshot) == index_module.PACKED_AT_ONCE
        assert changes.told == index_module.PACKED_AT_ONCE
        assert len(await backend.changes.segments("ann")) == 1


async def test_a_shard_whose_segments_are_refused_still_answers(backend: Backend) -> None:
    await say(backend, index_module.PACKED_AT_ONCE)
    index = ShardIndex(WithoutSegments(backend.changes), MODEL)
    await opened(index)
    await say(backend, 100, start=index_module.PACKED_AT_ONCE)
    await index.maintain()
    assert len((await opened(index)).snapshot) == index_module.PACKED_AT_ONCE + 100


class Moving(Wrapped):
    """Something changes whenever one reads."""

    def __init__(self, backend: Backend, times: int) -> None:
        super().__init__(backend.changes)
        self.backend, self.times = backend, times

    async def since(self, user: str, after: int, upto: int) -> Delta:
        if self.times:
            self.times -= 1
            await say(self.backend, 1, start=100 + self.times)
        return await super().since(user, after, upto)


async def test_what_changes_while_it_is_read_is_read_again(backend: Backend) -> None:
    await say(backend, 3)
    shard = await opened(ShardIndex(Moving(backend, 2), MODEL))
    assert len(shard.snapshot) == 5


async def test_who_never_stops_changing_does_not_keep_others_waiting(backend: Backend) -> None:
    await say(backend, 3)
    shard = await opened(ShardIndex(Moving(backend, 50), MODEL))
    assert 3 < len(shard.snapshot) < 53


async def test_a_large_shard_answers_from_a_thread_what_a_small_one_does(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    await say(backend, 30)
    shard = await opened(ShardIndex(backend.changes, MODEL))
    inline = hits(shard, "Tea number t7", vector(1, 2), limit=5, now=NOON)
    monkeypatch.setattr(searching, "WORTH_A_THREAD", 1)
    threaded = await shard.search(
        ask("Tea number t7", []), vector(1, 2), now=NOON, where=EVERYTHING, limit=5
    )
    assert comparable(inline) == comparable(threaded)


@pytest.mark.parametrize(
    ("texts", "apart"), [(["tea"], False), (["tea " * 9000], True), (["tea"] * 64, True)]
)
async def test_what_takes_long_to_read_is_read_in_a_thread(
    backend: Backend, monkeypatch: pytest.MonkeyPatch, *, texts: Sequence[str], apart: bool
) -> None:
    threads = watching(monkeypatch, Following, "apply")
    await backend.store.record([turn("t1", *(message(text) for text in texts))])
    assert len((await opened(ShardIndex(backend.changes, MODEL))).snapshot) == len(texts)
    assert (threads == [main_thread()]) is not apart


@pytest.mark.parametrize(("question", "apart"), [("Which tea?", False), ("tea " * 900, True)])
async def test_a_long_question_is_searched_for_in_a_thread(
    backend: Backend, monkeypatch: pytest.MonkeyPatch, *, question: str, apart: bool
) -> None:
    threads = watching(monkeypatch, OpenShard, "hits")
    await say(backend, 3)
    shard = await opened(ShardIndex(backend.changes, MODEL))
    found = await shard.search(ask(question, []), None, now=NOON, where=EVERYTHING, limit=5)
    assert len(found) == 3
    assert (threads == [main_thread()]) is not apart


def watching(monkeypatch: pytest.MonkeyPatch, kind: type, method: str) -> list[Thread]:
    """The threads in which `method` is called from now on."""
    threads, real = list[Thread](), getattr(kind, method)

    def watched(*given: object, **named: object) -> object:
        threads.append(current_thread())
        return real(*given, **named)

    monkeypatch.setattr(kind, method, watched)
    return threads


async def test_the_index_is_exact_and_sealed(backend: Backend) -> None:
    assert ShardIndex(backend.changes, MODEL).capabilities == set(IndexCapability)


async def test_an_unknown_language_is_refused_before_anything_is_opened(backend: Backend) -> None:
    with pytest.raises(ConfigurationError, match="unknown language"):
        ShardIndex(backend.changes, MODEL, language="elvish")
