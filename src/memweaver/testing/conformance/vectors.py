"""The contract of the `VectorStore` port, as tests."""

from dataclasses import replace

from memweaver.domain.memory import Tier
from memweaver.ports.backend import Backend
from memweaver.ports.vectors import Progress, Unembedded
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_WORK,
    BOB,
    MODEL,
    BackendSuite,
    a_memory,
    a_turn,
    everything,
    memory_ref,
    stamp_of,
    turn_ref,
    vectors_for,
)


class VectorStoreSuite(BackendSuite):
    async def test_where_nothing_is_nothing_waits(self, backend: Backend) -> None:
        assert await backend.vectors.unembedded(MODEL, 10) == []
        assert await backend.vectors.progress(MODEL) == Progress(0, 0)

    async def test_a_record_waits_with_its_searchable_texts(self, backend: Backend) -> None:
        await backend.store.record([a_turn(text="I moved", scope=ANN_AT_WORK)])
        await backend.store.add([a_memory(text="Oslo", tier=Tier.CORE, key="city", after=1)])
        assert await backend.vectors.unembedded(MODEL, 10) == [
            Unembedded("ann", turn_ref(), ("Ann: I moved", "Assistant: Noted.")),
            Unembedded("ann", memory_ref(), ("city: Oslo",)),
        ]

    async def test_the_oldest_of_all_users_wait_first(self, backend: Backend) -> None:
        await backend.store.add([a_memory("m3", scope=BOB, after=3), a_memory("m5", after=5)])
        await backend.store.record([a_turn("t4", after=4), a_turn("t2", scope=BOB, after=2)])
        waiting = await backend.vectors.unembedded(MODEL, 3)
        assert [(one.user, one.ref.id) for one in waiting] == [
            ("bob", "t2"),
            ("bob", "m3"),
            ("ann", "t4"),
        ]

    async def test_an_embedded_record_waits_no_more_until_the_model_changes(
        self, backend: Backend
    ) -> None:
        await backend.store.record([a_turn("t1"), a_turn("t2", after=1)])
        await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref("t1"), 1, 2)])
        assert await self._waiting(backend) == ["t2"]
        for other in ("a-model", "z-model"):
            assert await self._waiting(backend, model=other) == ["t1", "t2"]

    async def test_a_model_taken_back_finds_only_its_own_vectors(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        for model in (MODEL, "larger-model"):
            await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref(), 1, 2, model=model)])
        assert await self._waiting(backend) == ["t1"]
        assert await self._waiting(backend, model="larger-model") == []

    async def test_every_revision_waits_for_vectors_of_its_own(self, backend: Backend) -> None:
        await backend.store.add([a_memory()])
        await backend.vectors.keep_vectors("ann", [vectors_for(memory_ref(), 1)])
        await backend.store.revise(a_memory(text="corrected", revision=2, after=5))
        assert await backend.vectors.unembedded(MODEL, 10) == [
            Unembedded("ann", memory_ref(revision=2), ("corrected",))
        ]
        second = vectors_for(memory_ref(revision=2), 2)
        await backend.vectors.keep_vectors("ann", [second])
        assert (await everything(backend)).vectors == [vectors_for(memory_ref(), 1), second]

    async def test_closing_a_memory_leaves_it_its_vectors(self, backend: Backend) -> None:
        await backend.store.add([a_memory("m1", tier=Tier.CORE, key="city")])
        await backend.vectors.keep_vectors("ann", [vectors_for(memory_ref("m1"), 1)])
        await backend.store.add([a_memory("m2", tier=Tier.CORE, key="city", after=5)])
        assert await self._waiting(backend) == ["m2"]
        assert (await everything(backend)).vectors == [vectors_for(memory_ref("m1"), 1)]

    async def test_vectors_of_what_is_gone_are_skipped(self, backend: Backend) -> None:
        await backend.store.record([a_turn("t1"), a_turn("t2")])
        await backend.store.add([a_memory()])
        await backend.store.erase_turn(ANN, "t1")
        await backend.vectors.keep_vectors(
            "ann",
            [
                vectors_for(turn_ref("t1"), 1, 2),
                vectors_for(turn_ref("t2"), 3, 4),
                vectors_for(turn_ref("m1"), 5),
                vectors_for(memory_ref("t2"), 6),
                vectors_for(memory_ref("m1", revision=2), 7),
            ],
        )
        assert (await everything(backend)).vectors == [vectors_for(turn_ref("t2"), 3, 4)]

    async def test_vectors_for_nothing_change_nothing(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        before = await stamp_of(backend)
        await backend.vectors.keep_vectors("ann", [])
        await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref("gone"), 1)])
        await backend.vectors.keep_vectors("nobody", [vectors_for(turn_ref(), 1)])
        assert await stamp_of(backend) == before
        assert await backend.changes.stamp("nobody") is None

    async def test_of_two_vectors_for_one_record_the_last_stay(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        last = vectors_for(turn_ref(), 3, 4)
        await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref(), 1, 2), last])
        assert (await everything(backend)).vectors == [last]

    async def test_no_vector_crosses_to_another_user(self, backend: Backend) -> None:
        await backend.store.record([a_turn(), a_turn(scope=BOB)])
        await backend.vectors.keep_vectors("bob", [vectors_for(turn_ref(), 1, 2)])
        waiting = await backend.vectors.unembedded(MODEL, 10)
        assert [one.user for one in waiting] == ["ann"]
        assert (await everything(backend)).vectors == []

    async def test_progress_counts_records_of_all_users(self, backend: Backend) -> None:
        await backend.store.record([a_turn(), a_turn(scope=BOB)])
        await backend.store.add([a_memory(), replace(a_memory("m2"), scope=BOB)])
        await backend.vectors.keep_vectors("bob", [vectors_for(turn_ref(), 1, 2)])
        assert await backend.vectors.progress(MODEL) == Progress(1, 4)
        assert await backend.vectors.progress("larger-model") == Progress(0, 4)

    async def _waiting(self, backend: Backend, *, model: str = MODEL) -> list[str]:
        return [one.ref.id for one in await backend.vectors.unembedded(model, 10)]
