"""A shard that follows the store is, at every version, the one opened afresh."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from tests.unit.adapters.shard.house import (
    ANN,
    MODEL,
    NOON,
    READER,
    WORDS,
    WithoutSegments,
    delta,
    hits,
    memory,
    message,
    turn,
    turn_vectors,
    vector,
)

from memweaver.adapters.memory import open_memory
from memweaver.adapters.shard import ShardIndex, index, packing
from memweaver.adapters.shard.following import Following
from memweaver.adapters.shard.searching import OpenShard
from memweaver.adapters.shard.segment import Maker
from memweaver.domain.search import Filter, Hit, Kind, Ref
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Vectors
from memweaver.testing.conformance.indexed import comparable

TEXTS = ["Do I like tea?", "Yes, tea in May", "I moved to Oslo yesterday", "Rain", "", "Tea, tea"]
VECTORS = [vector(1, 0, 0), vector(0, 1, 0), vector(1, 1, 1), vector(-1, 0, 1)]
MODELS = [MODEL, MODEL, "another"]

NAMES = some.sampled_from(["one", "two", "three", "four"])
STEPS = some.lists(
    some.one_of(
        some.tuples(some.just("record"), NAMES, some.integers(0, 5), some.integers(0, 2)),
        some.tuples(some.just("add"), NAMES, some.integers(0, 5), some.just(0)),
        some.tuples(some.just("revise"), NAMES, some.integers(0, 5), some.just(0)),
        some.tuples(some.just("embed"), NAMES, some.integers(0, 3), some.integers(0, 2)),
        some.tuples(some.just("erase"), NAMES, some.integers(0, 1), some.just(0)),
        some.tuples(some.just("look"), NAMES, some.just(0), some.just(0)),
        some.tuples(some.just("maintain"), NAMES, some.just(0), some.just(0)),
        some.tuples(some.just("destroy"), NAMES, some.just(0), some.just(0)),
    ),
    min_size=4,
    max_size=40,
)


class Story:
    """Steps taken by a store and an index that follows it."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self.index = ShardIndex(backend.changes, MODEL)
        self.kept: dict[tuple[str, str], int] = {}

    async def record(self, name: str, text: int, session: int) -> None:
        if ("turn", name) not in self.kept:
            self.kept["turn", name] = 1
            said = (message(TEXTS[text], "Ann"), message(TEXTS[text - 1]))
            await self.backend.store.record([turn(name, *said, session=f"s{session}")])

    async def add(self, name: str, text: int, _: int) -> None:
        if ("memory", name) not in self.kept:
            self.kept["memory", name] = 1
            await self.backend.store.add([memory(name, TEXTS[text])])

    async def revise(self, name: str, text: int, _: int) -> None:
        if ("memory", name) in self.kept:
            self.kept["memory", name] += 1
            await self.backend.store.revise(memory(name, TEXTS[text], self.kept["memory", name]))

    async def embed(self, name: str, number: int, model: int) -> None:
        made = VECTORS[number]
        refs = [Ref(Kind.TURN, name), Ref(Kind.MEMORY, name, self.kept.get(("memory", name), 1))]
        for ref, vectors in zip(refs, ((made, made), (made,)), strict=True):
            await self.backend.vectors.keep_vectors("ann", [Vectors(ref, MODELS[model], vectors)])

    async def erase(self, name: str, kind: int, _: int) -> None:
        if kind and self.kept.pop(("turn", name), 0):
            await self.backend.store.erase_turn(ANN, name)
        if not kind and self.kept.pop(("memory", name), 0):
            await self.backend.store.erase_memory(ANN, name, at=NOON)

    async def look(self, *_: object) -> None:
        await self.index.open(ANN)

    async def maintain(self, *_: object) -> None:
        await self.index.maintain()

    async def destroy(self, *_: object) -> None:
        self.kept.clear()
        await self.backend.vault.destroy("ann")

    async def answers(self, index: ShardIndex) -> Sequence[Sequence[Hit]]:
        shard = await index.open(ANN)
        assert isinstance(shard, OpenShard)
        question, made = "When in May did Ann like tea in Oslo?", VECTORS[0]
        return [
            hits(shard, question, made),
            hits(shard, question, made, where=Filter(as_of=NOON)),
        ]


@pytest.mark.parametrize("worth", [1, 3, 64])
@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
async def test_following_step_by_step_is_opening_afresh(
    worth: int, steps: list[tuple[str, str, int, int]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "WORTH_PACKING", worth)
        patch.setattr(index, "PACKED_AT_ONCE", 4 * worth)
        async with open_memory() as backend:
            story = Story(backend)
            for kind, name, number, other in steps:
                await getattr(story, kind)(name, number, other)
            followed = await story.answers(story.index)
            packed = await story.answers(ShardIndex(backend.changes, MODEL))
            texts = WithoutSegments(backend.changes)
            from_text = await story.answers(ShardIndex(texts, MODEL))
        assert list(map(comparable, followed)) == list(map(comparable, packed))
        assert list(map(comparable, followed)) == list(map(comparable, from_text))


async def test_a_small_segment_amends_what_is_in_a_large_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(packing, "WORTH_PACKING", 2)
    async with open_memory() as backend:
        story = Story(backend)

        async def check(segments: int) -> None:
            await story.look()
            await story.maintain()
            assert len(await backend.changes.segments("ann")) == segments
            packed = await story.answers(ShardIndex(backend.changes, MODEL))
            texts = WithoutSegments(backend.changes)
            from_text = await story.answers(ShardIndex(texts, MODEL))
            assert list(map(comparable, packed)) == list(map(comparable, from_text))

        for number in range(100):
            await story.record(f"turn-{number}", number % 6, number % 3)
        await story.add("memory", 1, 0)
        await check(1)
        await story.embed("turn-5", 0, 0)
        await story.embed("memory", 0, 0)
        await story.revise("memory", 5, 0)
        await check(2)
        await story.embed("turn-5", 1, 2)
        await story.embed("turn-7", 1, 0)
        await check(2)
        assert len(await backend.changes.segments("ann")) == 2
        await story.erase("turn-9", 1, 0)
        await check(1)


async def test_a_memory_told_again_with_its_vector_has_it() -> None:
    shard = following()
    shard.apply(delta(memories=[memory("m1", "Tea")]), 1)
    made = [Vectors(Ref(Kind.MEMORY, "m1"), MODEL, (vector(1, 0),))]
    shard.apply(delta(memories=[memory("m1", "Tea", closed=True)], made=made), 2)
    then = Filter(as_of=NOON)
    [hit] = hits(opened(shard), "Tea", vector(1, 0), where=then)
    assert hit.cosine == pytest.approx(1.0)
    assert hits(opened(shard), "Tea") == []


def test_a_memory_told_again_in_other_words_takes_the_place_of_the_old() -> None:
    shard = following()
    shard.apply(delta(memories=[memory("m1", "Tea"), memory("m2", "Milk")]), 2)
    shard.apply(delta(memories=[memory("m1", "Coffee")]), 3)
    assert sorted(hit.text for hit in hits(opened(shard), "Tea")) == ["Coffee", "Milk"]


def following() -> Following:
    return Following("epoch", READER, Maker(MODEL, "english"), MODEL)


def opened(shard: Following) -> OpenShard:
    return OpenShard(shard.snapshot, ANN, WORDS)


def test_a_snapshot_is_not_disturbed_by_what_comes_later() -> None:
    shard = following()
    shard.apply(delta([turn("t1", message("Tea"))]), 1)
    before = opened(shard)
    shard.apply(delta([turn(f"n{n}", message("Tea")) for n in range(50)]), 51)
    assert [hit.ref.id for hit in hits(before, "Tea")] == ["t1"]


def test_what_is_erased_leaves_no_trace_in_memory() -> None:
    shard = following()
    secret = turn("secret-id", message("my secret", "Secret Name"), session="secret-session")
    shard.apply(delta([secret, turn("t2", message("Tea"))]), 2)
    shard.apply(delta(erased=[Ref(Kind.TURN, "secret-id")]), 3)
    segment = shard.packed()
    assert b"secret" not in segment.body.lower()
    assert opened(shard).people == ()


def test_a_vector_of_another_width_than_the_first_is_none() -> None:
    shard = following()
    shard.apply(delta([turn("t1", message("Tea"))], made=[turn_vectors("t1", vector(1, 0))]), 1)
    shard.apply(delta([turn("t2", message("Tea"))], made=[turn_vectors("t2", vector(1, 0, 0))]), 2)
    shard.apply(delta(made=[turn_vectors("t1", vector(1, 0, 0))]), 3)
    assert [hit.cosine for hit in hits(opened(shard), "Tea", vector(1, 0))] == [None, None]


@pytest.mark.parametrize("few", [0, 100])
def test_many_vectors_find_their_rows_as_few_do(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memweaver.adapters.shard.records.FEW", few)
    shard = following()
    said = [turn(f"t{n}", message("Tea"), message("Milk")) for n in range(40)]
    shard.apply(delta(said), 1)
    made = [turn_vectors(f"t{n}", vector(1, n), vector(-1, n)) for n in range(40)]
    shard.apply(delta(made=made), 2)
    found = {
        (hit.ref.id, hit.ordinal): hit.cosine for hit in hits(opened(shard), "Tea", vector(1, 0))
    }
    assert found["t3", 0] == pytest.approx(10**-0.5)
    assert found["t3", 1] == pytest.approx(-(10**-0.5))


def test_a_segment_after_a_gap_is_opened_but_packed_anew() -> None:
    source = following()
    source.apply(delta([turn("t1", message("Tea"))]), 1)
    first = source.packed()
    source.kept(first, accepted=True)
    source.apply(delta([turn(f"n{n}", message("Milk")) for n in range(9)]), 10)
    second = source.packed()
    assert (second.after, second.upto) == (0, 10)
    shard = following()
    shard.apply(delta([turn("t0", message("Water"))]), 5)
    later = type(second)(5, 10, second.body)
    assert shard.open(later)
    assert shard.unpacked == len(shard) == 11
