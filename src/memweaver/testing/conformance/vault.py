"""The contract of the `Vault` port, as tests."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from memweaver.domain.permissions import AiPermissions
from memweaver.errors import NotFound
from memweaver.ports.backend import Backend
from memweaver.ports.changes import Delta, Segment
from memweaver.ports.keys import Rotation
from memweaver.ports.registry import Ai
from memweaver.testing.conformance.backend import (
    ANN,
    BOB,
    NOON,
    BackendSuite,
    a_memory,
    a_turn,
    ended,
    everything,
    stamp_of,
    turn_ref,
    vectors_for,
)

AI = Ai("ann", "work", "Athena", NOON, AiPermissions(tools=("calculator",)))


class VaultSuite(BackendSuite):
    async def test_everybody_who_was_written_for_has_a_key(self, backend: Backend) -> None:
        assert await backend.vault.users() == []
        await backend.store.record([a_turn(scope=BOB), a_turn()])
        await backend.registry.register(Ai("eve", "work", "Athena", NOON))
        assert await backend.vault.users() == ["ann", "bob", "eve"]

    async def test_with_a_new_key_everything_reads_as_before(self, backend: Backend) -> None:
        before = await self._fill(backend)
        self._complete(await ended(backend.vault.reseal("ann")))
        assert await self._read(backend) == before
        assert await backend.store.record([a_turn()]) == [a_turn()]

    async def test_with_new_wrapping_everything_reads_as_before(self, backend: Backend) -> None:
        before = await self._fill(backend)
        self._complete(await ended(backend.vault.rewrap()))
        assert await self._read(backend) == before

    async def test_there_may_be_nobody_to_wrap_anew(self, backend: Backend) -> None:
        assert (await ended(backend.vault.rewrap()))[-1:] == [Rotation(0, 0)]

    async def test_nobody_cannot_get_a_new_key(self, backend: Backend) -> None:
        with pytest.raises(NotFound):
            await ended(backend.vault.reseal("nobody"))

    async def test_others_write_while_keys_are_renewed(self, backend: Backend) -> None:
        await self._fill(backend)

        async def write() -> None:
            for number in range(20):
                await backend.store.record([a_turn(f"during {number}")])
                await backend.store.turn(ANN, f"during {number}")

        await asyncio.gather(write(), ended(backend.vault.reseal("ann")))
        await asyncio.gather(write(), ended(backend.vault.rewrap()))
        assert len((await everything(backend)).turns) == 21

    async def test_a_renewal_that_was_cut_off_is_finished_by_the_next(
        self, backend: Backend
    ) -> None:
        before = await self._fill(backend)
        await self._begin(backend.vault.reseal("ann"))
        assert await self._read(backend) == before
        self._complete(await ended(backend.vault.reseal("ann")))
        await self._begin(backend.vault.rewrap())
        self._complete(await ended(backend.vault.rewrap()))
        assert await self._read(backend) == before

    async def test_of_who_was_destroyed_nothing_is_left(self, backend: Backend) -> None:
        await self._fill(backend)
        await backend.store.record([a_turn(scope=BOB)])
        await backend.vault.destroy("ann")
        assert await backend.vault.users() == ["bob"]
        assert await backend.changes.stamp("ann") is None
        assert await backend.changes.since("ann", 0, 100) == Delta([], [], [], [])
        assert await backend.changes.segments("ann") == []
        assert await backend.registry.ais("ann") == []
        with pytest.raises(NotFound):
            await backend.store.turn(ANN, "t1")
        assert [one.user for one in await backend.vectors.unembedded("any", 10)] == ["bob"]
        assert await backend.store.turn(BOB, "t1") == a_turn(scope=BOB)

    async def test_destroying_nobody_is_nothing(self, backend: Backend) -> None:
        await self._fill(backend)
        await backend.vault.destroy("nobody")
        await backend.vault.destroy("nobody")
        assert await backend.vault.users() == ["ann"]

    async def test_what_was_derived_for_who_was_destroyed_is_not_kept(
        self, backend: Backend
    ) -> None:
        await self._fill(backend)
        before = await stamp_of(backend)
        await backend.vault.destroy("ann")
        await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref(), 1, 2)])
        assert not await backend.changes.keep_segment("ann", before, Segment(0, 1, b"body"))
        with pytest.raises(NotFound):
            await backend.store.revise(a_memory(revision=2))
        assert await backend.vault.users() == []

    async def test_who_was_destroyed_may_begin_anew(self, backend: Backend) -> None:
        await self._fill(backend)
        await backend.vault.destroy("ann")
        await backend.store.record([a_turn("t2")])
        assert [turn.id for turn in (await everything(backend)).turns] == ["t2"]

    async def _fill(self, backend: Backend) -> object:
        """Something of everything, some of it closed or erased."""
        await backend.store.record([a_turn(), a_turn("gone")])
        await backend.store.add([a_memory()])
        await backend.store.revise(a_memory(text="corrected", revision=2, after=5))
        await backend.vectors.keep_vectors("ann", [vectors_for(turn_ref(), 1, 2)])
        await backend.store.erase_turn(ANN, "gone")
        await backend.registry.register(AI)
        segment = Segment(0, 1, b"prepared")
        assert await backend.changes.keep_segment("ann", await stamp_of(backend), segment)
        return await self._read(backend)

    async def _read(self, backend: Backend) -> object:
        return (
            await everything(backend),
            await backend.changes.stamp("ann"),
            await backend.changes.segments("ann"),
            await backend.registry.ais("ann"),
            await backend.store.turns(ANN, session="default", before=None, limit=10),
        )

    async def _begin(self, rotation: AsyncIterator[Rotation]) -> None:
        async for _ in rotation:
            return

    def _complete(self, told: list[Rotation]) -> None:
        assert [one.done for one in told] == sorted(one.done for one in told)
        assert {one.total for one in told} == {told[-1].done}
