"""The shards in memory."""

import anyio
from tests.unit.adapters.shard.house import MODEL, READER, delta, message, turn

from memweaver.adapters.shard.cache import Cache
from memweaver.adapters.shard.following import Following
from memweaver.adapters.shard.segment import Maker


def a_shard(texts: int = 1) -> Following:
    shard = Following("epoch", READER, Maker(MODEL, "english"), MODEL)
    shard.apply(delta([turn(f"t{n}", message("Tea")) for n in range(texts)]), texts)
    return shard


def test_the_least_recently_used_make_room() -> None:
    cache = Cache(3 * a_shard().nbytes)
    for user in ("ann", "bob", "cid"):
        cache.put(user, a_shard())
    assert cache.get("ann") is not None
    cache.put("dan", a_shard())
    assert [user for user, _ in cache.items()] == ["cid", "ann", "dan"]
    assert cache.get("bob") is None
    assert cache.nbytes <= 3 * a_shard().nbytes


def test_the_one_used_last_stays_however_large() -> None:
    cache = Cache(1)
    cache.put("ann", a_shard())
    cache.put("bob", a_shard(100))
    assert [user for user, _ in cache.items()] == ["bob"]


def test_a_shard_that_grew_is_counted_as_it_is() -> None:
    cache = Cache(10**9)
    cache.put("ann", a_shard())
    small = cache.nbytes
    cache.put("ann", a_shard(500))
    assert cache.nbytes > 10 * small
    cache.drop("ann")
    assert cache.nbytes == 0


async def test_one_at_a_time_changes_a_shard_and_others_do_not_wait() -> None:
    cache, order = Cache(1), list[str]()

    async def change(user: str, name: str) -> None:
        async with cache.changing(user):
            order.append(f"{name} begins")
            await anyio.lowlevel.checkpoint()
            await anyio.lowlevel.checkpoint()
            order.append(f"{name} ends")

    async with anyio.create_task_group() as tasks:
        for user, name in (("ann", "a1"), ("ann", "a2"), ("bob", "b1")):
            tasks.start_soon(change, user, name)
    assert order.index("a1 ends") < order.index("a2 begins")
    assert order.index("b1 begins") < order.index("a1 ends")
