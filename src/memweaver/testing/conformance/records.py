"""The contract of the `Changes` port, as tests: records asked for by name."""

from memweaver.ports.backend import Backend
from memweaver.ports.changes import Delta
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_memory,
    a_turn,
    memory_ref,
    turn_ref,
    vectors_for,
)

NOTHING = Delta([], [], [], [])


class RecordsSuite(BackendSuite):
    async def test_records_asked_for_by_name_come_with_their_vectors(
        self, backend: Backend
    ) -> None:
        said, woven = vectors_for(turn_ref("t1"), 1, 2), vectors_for(memory_ref("m1"), 3)
        await backend.store.record([a_turn("t2"), a_turn("t1", scope=ANN_AT_WORK)])
        await backend.store.add([a_memory("m2"), a_memory("m1")])
        await backend.vectors.keep_vectors("ann", [woven, said])
        asked = [turn_ref("t1"), memory_ref("m1"), turn_ref("t2")]
        assert await backend.changes.records("ann", asked) == Delta(
            [a_turn("t2"), a_turn("t1", scope=ANN_AT_WORK)], [a_memory("m1")], [woven, said], []
        )

    async def test_of_a_memory_only_the_revisions_asked_for_come(self, backend: Backend) -> None:
        await backend.store.add([a_memory()])
        await backend.vectors.keep_vectors("ann", [vectors_for(memory_ref(), 1)])
        await backend.store.revise(a_memory(text="Ann lives in Bergen", revision=2, after=5))
        [first] = (await backend.changes.records("ann", [memory_ref()])).memories
        assert (first.revision, first.validity.known_to is None) == (1, False)
        second = await backend.changes.records("ann", [memory_ref(revision=2)])
        assert second.memories == [a_memory(text="Ann lives in Bergen", revision=2, after=5)]
        assert second.vectors == []

    async def test_a_turn_and_a_memory_of_one_name_are_told_apart(self, backend: Backend) -> None:
        await backend.store.record([a_turn("same")])
        await backend.store.add([a_memory("same")])
        only_said = await backend.changes.records("ann", [turn_ref("same")])
        assert only_said == Delta([a_turn("same")], [], [], [])
        only_woven = await backend.changes.records("ann", [memory_ref("same")])
        assert only_woven == Delta([], [a_memory("same")], [], [])

    async def test_names_that_nobody_or_somebody_else_has_are_left_out(
        self, backend: Backend
    ) -> None:
        await backend.store.record([a_turn(), a_turn("gone"), a_turn("his", scope=BOB)])
        await backend.store.erase_turn(ANN, "gone")
        asked = [turn_ref("his"), turn_ref("gone"), turn_ref("never"), memory_ref("t1")]
        assert await backend.changes.records("ann", asked) == NOTHING
        assert await backend.changes.records("ann", []) == NOTHING
        assert await backend.changes.records("nobody", [turn_ref()]) == NOTHING
