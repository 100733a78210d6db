"""The contract of the `Changes` port, as tests: what changed since when."""

from memweaver.domain.memory import Tier
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Delta
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_memory,
    a_turn,
    everything,
    later,
    memory_ref,
    stamp_of,
    turn_ref,
    vectors_for,
)

NOTHING = Delta([], [], [], [])
INDEX_KEY = 32
"""Bytes that nobody can try all of."""


class ChangesSuite(BackendSuite):
    async def test_nobody_has_no_stamp_and_no_changes(self, backend: Backend) -> None:
        assert await backend.changes.stamp("ann") is None
        assert await backend.changes.since("ann", 0, 100) == NOTHING
        assert await backend.changes.segments("ann") == []

    async def test_the_version_grows_with_every_change_and_with_nothing_else(
        self, backend: Backend
    ) -> None:
        await backend.store.record([a_turn()])
        seen = [await stamp_of(backend)]
        for change in (
            backend.store.record([a_turn("t2")]),
            backend.store.add([a_memory()]),
            backend.store.revise(a_memory(revision=2)),
            backend.vectors.keep_vectors("ann", [vectors_for(turn_ref(), 1, 2)]),
            backend.store.erase_turn(ANN, "t1"),
            backend.store.erase_memory(ANN, "m1", at=later(9)),
        ):
            await change
            seen.append(await stamp_of(backend))
        versions = [stamp.version for stamp in seen]
        assert versions == sorted(set(versions))
        assert {stamp.epoch for stamp in seen} == {seen[0].epoch}
        await backend.store.turn(ANN, "t2")
        await backend.store.record([a_turn("t2")])
        await backend.store.record([a_turn("t2", scope=BOB)])
        assert await stamp_of(backend) == seen[-1]

    async def test_changes_are_told_oldest_first(self, backend: Backend) -> None:
        await backend.store.record([a_turn("t2"), a_turn("t1", scope=ANN_AT_WORK)])
        await backend.store.add([a_memory("m2"), a_memory("m1")])
        await backend.vectors.keep_vectors(
            "ann", [vectors_for(turn_ref("t2"), 1, 2), vectors_for(memory_ref(), 3)]
        )
        delta = await everything(backend)
        assert delta.turns == [a_turn("t2"), a_turn("t1", scope=ANN_AT_WORK)]
        assert delta.memories == [a_memory("m2"), a_memory("m1")]
        assert delta.vectors == [vectors_for(turn_ref("t2"), 1, 2), vectors_for(memory_ref(), 3)]
        assert delta.erased == []

    async def test_a_range_has_what_changed_after_its_start_up_to_its_end(
        self, backend: Backend
    ) -> None:
        stamps = [0]
        for number in range(4):
            await backend.store.record([a_turn(f"t{number}")])
            stamps.append((await stamp_of(backend)).version)
        delta = await backend.changes.since("ann", stamps[1], stamps[3])
        assert [turn.id for turn in delta.turns] == ["t1", "t2"]
        assert await backend.changes.since("ann", stamps[4], stamps[4]) == NOTHING

    async def test_ranges_one_after_another_tell_everything(self, backend: Backend) -> None:
        await backend.store.record([a_turn(f"t{number}") for number in range(7)])
        upto = (await stamp_of(backend)).version
        told = [
            turn
            for start in range(upto)
            for turn in (await backend.changes.since("ann", start, start + 1)).turns
        ]
        assert told == [a_turn(f"t{number}") for number in range(7)]

    async def test_a_closed_memory_is_told_again_once(self, backend: Backend) -> None:
        await backend.store.add([a_memory("m1", tier=Tier.CORE, key="city")])
        added = (await stamp_of(backend)).version
        await backend.store.add([a_memory("m2", tier=Tier.CORE, key="city", after=5)])
        upto = (await stamp_of(backend)).version
        for start in (0, added):
            told = (await backend.changes.since("ann", start, upto)).memories
            assert [memory.id for memory in told] == ["m1", "m2"]
            assert [memory.validity.known_to is None for memory in told] == [False, True]

    async def test_every_revision_is_told(self, backend: Backend) -> None:
        await backend.store.add([a_memory()])
        await backend.store.revise(a_memory(revision=2, after=5))
        told = (await everything(backend)).memories
        assert [memory.revision for memory in told] == [1, 2]

    async def test_new_vectors_take_the_place_of_the_old_ones(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref(), 1, 2)])
        before = (await stamp_of(backend)).version
        other = vectors_for(turn_ref(), 3, 4, model="larger-model")
        await backend.vectors.keep_vectors("ann", [other])
        upto = (await stamp_of(backend)).version
        assert (await backend.changes.since("ann", 0, upto)).vectors == [other]
        assert await backend.changes.since("ann", before, upto) == Delta([], [], [other], [])

    async def test_what_was_erased_is_named_and_told_no_more(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        await backend.store.add([a_memory()])
        await backend.store.revise(a_memory(revision=2))
        await backend.vectors.keep_vectors(
            "ann", [vectors_for(turn_ref(), 1, 2), vectors_for(memory_ref(), 3)]
        )
        before = (await stamp_of(backend)).version
        await backend.store.erase_turn(ANN, "t1")
        await backend.store.erase_memory(ANN, "m1", at=later(9))
        upto = (await stamp_of(backend)).version
        gone = [turn_ref(), memory_ref(), memory_ref(revision=2)]
        for start in (0, before):
            assert await backend.changes.since("ann", start, upto) == Delta([], [], [], gone)

    async def test_what_was_erased_and_kept_anew_is_there(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        await backend.store.add([a_memory()])
        await backend.store.revise(a_memory(revision=2))
        await backend.store.erase_turn(ANN, "t1")
        await backend.store.erase_memory(ANN, "m1", at=later(9))
        await backend.store.record([a_turn(text="anew")])
        await backend.store.add([a_memory(text="anew")])
        delta = await everything(backend)
        assert delta.turns == [a_turn(text="anew")]
        assert delta.memories == [a_memory(text="anew")]
        assert delta.erased == [memory_ref(revision=2)]

    async def test_no_change_crosses_to_another_user(self, backend: Backend) -> None:
        await backend.store.record([a_turn(), a_turn("his", scope=BOB)])
        await backend.store.add([a_memory(), a_memory("his", scope=BOB)])
        await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref(), 1, 2)])
        await backend.vectors.keep_vectors("bob", [vectors_for(memory_ref("his"), 9)])
        await backend.store.erase_memory(ANN, "m1", at=later(9))
        his = await backend.changes.since("bob", 0, 100)
        assert [turn.id for turn in his.turns] == ["his"]
        assert [memory.id for memory in his.memories] == ["his"]
        assert his.vectors == [vectors_for(memory_ref("his"), 9)]
        assert his.erased == []

    async def test_who_begins_anew_after_being_destroyed_has_another_epoch(
        self, backend: Backend
    ) -> None:
        await backend.store.record([a_turn()])
        before = await stamp_of(backend)
        await backend.vault.destroy("ann")
        assert await backend.changes.stamp("ann") is None
        await backend.store.record([a_turn("t2")])
        assert (await stamp_of(backend)).epoch != before.epoch
        assert [turn.id for turn in (await everything(backend)).turns] == ["t2"]

    async def test_an_index_key_lasts_as_long_as_its_user(self, backend: Backend) -> None:
        assert await backend.changes.index_key("ann") is None
        await backend.store.record([a_turn(), a_turn("his", scope=BOB)])
        hers = await backend.changes.index_key("ann")
        assert hers is not None
        assert len(hers) >= INDEX_KEY
        assert hers != await backend.changes.index_key("bob")
        async for _ in backend.vault.reseal("ann"):
            pass
        async for _ in backend.vault.rewrap():
            pass
        await backend.store.record([a_turn("t2")])
        assert await backend.changes.index_key("ann") == hers
        await backend.vault.destroy("ann")
        assert await backend.changes.index_key("ann") is None
        await backend.store.record([a_turn()])
        assert await backend.changes.index_key("ann") not in (None, hers)
