"""The contract of the `Changes` port, as tests: what an index prepared."""

from dataclasses import replace

import pytest

from memweaver.domain.memory import Tier
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Segment
from memweaver.testing.conformance.backend import (
    ANN,
    BOB,
    BackendSuite,
    a_memory,
    a_turn,
    later,
    memory_ref,
    stamp_of,
    turn_ref,
    vectors_for,
)


class SegmentSuite(BackendSuite):
    async def test_a_kept_segment_comes_back_as_it_was(self, backend: Backend) -> None:
        await self._record(backend, 4)
        body = bytes(range(256)) * 4096
        await self._keep(backend, Segment(2, 4, b""), Segment(0, 2, body))
        assert await backend.changes.segments("ann") == [Segment(0, 2, body), Segment(2, 4, b"")]

    async def test_a_segment_takes_the_place_of_those_within_its_range(
        self, backend: Backend
    ) -> None:
        await self._record(backend, 6)
        await self._keep(backend, Segment(0, 2, b"a"), Segment(2, 4, b"b"), Segment(4, 6, b"c"))
        assert await self._kept(backend, Segment(0, 4, b"merged"))
        assert await self._kept(backend, Segment(4, 6, b"again"))
        assert await backend.changes.segments("ann") == [
            Segment(0, 4, b"merged"),
            Segment(4, 6, b"again"),
        ]

    @pytest.mark.parametrize(("after", "upto"), [(0, 3), (3, 5), (3, 4), (1, 3)])
    async def test_a_segment_that_overlaps_partly_is_not_kept(
        self, backend: Backend, after: int, upto: int
    ) -> None:
        await self._record(backend, 6)
        there = Segment(2, 5, b"there")
        await self._keep(backend, there)
        assert not await self._kept(backend, Segment(after, upto, b"partly"))
        assert await backend.changes.segments("ann") == [there]

    async def test_a_segment_of_another_epoch_is_not_kept(self, backend: Backend) -> None:
        await self._record(backend, 2)
        before = await stamp_of(backend)
        await backend.vault.destroy("ann")
        assert not await backend.changes.keep_segment("ann", before, Segment(0, 2, b"old"))
        await self._record(backend, 2)
        assert not await backend.changes.keep_segment("ann", before, Segment(0, 2, b"old"))
        elsewhere = replace(await stamp_of(backend), epoch="elsewhere")
        assert not await backend.changes.keep_segment("ann", elsewhere, Segment(0, 2, b"old"))
        assert await backend.changes.segments("ann") == []

    async def test_a_segment_made_before_an_erasure_is_not_kept(self, backend: Backend) -> None:
        await self._record(backend, 3)
        before = await stamp_of(backend)
        await backend.store.erase_turn(ANN, "t1")
        assert not await backend.changes.keep_segment("ann", before, Segment(0, 3, b"with t1"))
        assert await self._kept(backend, Segment(0, 3, b"without t1"))

    async def test_a_segment_made_before_another_change_is_kept(self, backend: Backend) -> None:
        await self._record(backend, 3)
        before = await stamp_of(backend)
        await backend.store.record([a_turn("t9")])
        assert await backend.changes.keep_segment("ann", before, Segment(0, 3, b"body"))

    async def test_erasing_drops_the_segments_with_the_record_and_no_other(
        self, backend: Backend
    ) -> None:
        await self._record(backend, 6)
        await self._keep(backend, Segment(0, 2, b"a"), Segment(2, 4, b"b"), Segment(4, 6, b"c"))
        await backend.store.erase_turn(ANN, "t3")
        kept = await backend.changes.segments("ann")
        assert [segment.body for segment in kept] == [b"a", b"c"]

    async def test_erasing_drops_the_segments_with_the_record_before_it_was_closed(
        self, backend: Backend
    ) -> None:
        await backend.store.add([a_memory("m1", tier=Tier.CORE, key="city")])
        await self._record(backend, 2)
        await backend.store.add([a_memory("m2", tier=Tier.CORE, key="city")])
        await self._keep_one_for_each_version(backend)
        await backend.store.erase_memory(ANN, "m1", at=later(9))
        kept = await backend.changes.segments("ann")
        assert [segment.upto for segment in kept] == [2, 3, 5]

    async def test_erasing_drops_the_segments_with_all_vectors_it_ever_had(
        self, backend: Backend
    ) -> None:
        await backend.store.record([a_turn("t1")])
        await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref(), 1, 2)])
        await backend.store.record([a_turn("t2")])
        other = vectors_for(turn_ref(), 3, 4, model="larger-model")
        await backend.vectors.keep_vectors("ann", [other])
        await backend.store.add([a_memory()])
        await backend.vectors.keep_vectors("ann", [vectors_for(memory_ref(), 5)])
        await self._keep_one_for_each_version(backend)
        await backend.store.erase_turn(ANN, "t1")
        kept = await backend.changes.segments("ann")
        assert [segment.upto for segment in kept] == [3, 5, 6]

    async def test_no_segment_crosses_to_another_user(self, backend: Backend) -> None:
        await self._record(backend, 2)
        await backend.store.record([a_turn("t0", scope=BOB), a_turn("t1", scope=BOB)])
        hers, his = Segment(0, 2, b"hers"), Segment(0, 2, b"his")
        await self._keep(backend, hers)
        assert await backend.changes.segments("bob") == []
        assert await backend.changes.keep_segment("bob", await stamp_of(backend, "bob"), his)
        await backend.store.erase_turn(BOB, "t1")
        assert await backend.changes.segments("ann") == [hers]
        assert await backend.changes.segments("bob") == []

    async def _record(self, backend: Backend, turns: int) -> None:
        """Turns `t0`, `t1`, … at versions 1, 2, … of a user who was not there."""
        await backend.store.record([a_turn(f"t{number}") for number in range(turns)])

    async def _kept(self, backend: Backend, segment: Segment) -> bool:
        return await backend.changes.keep_segment("ann", await stamp_of(backend), segment)

    async def _keep(self, backend: Backend, *segments: Segment) -> None:
        for segment in segments:
            assert await self._kept(backend, segment)

    async def _keep_one_for_each_version(self, backend: Backend) -> None:
        upto = (await stamp_of(backend)).version
        for version in range(1, upto + 1):
            await self._keep(backend, Segment(version - 1, version, b"body"))
