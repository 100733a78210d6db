"""The contract of the `Store` and `Queue` ports, as tests: turns that leave no job."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager

import pytest

from memweaver.domain.conversation import Turn
from memweaver.domain.job import Job, Priority, State
from memweaver.errors import ClaimLost, Conflict, InvalidInput, NotFound, QueueUnavailable
from memweaver.ports.backend import Backend
from memweaver.ports.queue import Closing, Effects
from memweaver.testing.conformance.backend import (
    ANN,
    BOB,
    BackendSuite,
    a_memory,
    a_turn,
    everything,
    later,
    memory_ref,
    stamp_of,
    vectors_for,
)
from memweaver.testing.conformance.queue import all_jobs, claimed, done, leave, names


def jobs_of(*turns: Turn) -> Sequence[Job]:
    """The jobs that these turns would have left."""
    return [
        Job(turn.id, turn.scope, Priority.NORMAL, State.WAITING, turn.recorded_at, turn.recorded_at)
        for turn in turns
    ]


async def erased(backend: Backend) -> None:
    await backend.store.erase_turn(ANN, "t1")


async def said_anew(backend: Backend) -> None:
    """The same id, for other words, once the first were erased."""
    await backend.store.erase_turn(ANN, "t1")
    await backend.store.record([a_turn("t1", "Something else", after=1)])


async def destroyed(backend: Backend) -> None:
    await backend.vault.destroy("ann")


class UnqueuedSuite(BackendSuite):
    @pytest.mark.requirement("D12", "D13")
    async def test_effects_are_applied_without_jobs(self, backend: Backend) -> None:
        await backend.store.record([a_turn("t1"), a_turn("t2")])
        await backend.store.add([a_memory("old", "Ann has a cat")])
        effects = Effects(
            added=[a_memory()],
            closed=[Closing("old", 1)],
            vectors=[vectors_for(memory_ref(), 1)],
        )
        would_be = jobs_of(a_turn("t1"), a_turn("t2"))
        assert await backend.queue.apply(would_be, effects, now=later(5)) == [a_memory()]
        assert await backend.store.memory(ANN, "m1") == a_memory()
        assert (await backend.store.memory(ANN, "old")).validity.known_to == later(5)
        assert [one.ref for one in (await everything(backend)).vectors] == [memory_ref()]
        assert await all_jobs(backend) == []

    @pytest.mark.requirement("D13")
    async def test_applying_again_changes_nothing(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        effects = Effects([a_memory()], vectors=[vectors_for(memory_ref(), 1)])
        await backend.queue.apply(jobs_of(a_turn()), effects, now=later(1))
        before = await everything(backend)
        again = Effects([a_memory("m2")], vectors=[vectors_for(memory_ref("m2"), 1)])
        for same in (effects, again):
            assert await backend.queue.apply(jobs_of(a_turn()), same, now=later(2)) == []
        assert await everything(backend) == before

    @pytest.mark.parametrize("happening", [erased, said_anew, destroyed])
    async def test_nothing_comes_of_turns_that_are_gone(
        self, backend: Backend, happening: Callable[[Backend], Awaitable[None]]
    ) -> None:
        turns = [a_turn("t1"), a_turn("t2")]
        await backend.store.record(turns)
        await happening(backend)
        with pytest.raises(ClaimLost):
            await backend.queue.apply(jobs_of(*turns), Effects([a_memory()]), now=later(5))
        assert (await everything(backend)).memories == []

    async def test_a_memory_changed_meanwhile_is_a_conflict_and_nothing_is_changed(
        self, backend: Backend
    ) -> None:
        await backend.store.record([a_turn()])
        await backend.store.add([a_memory("old", "Ann has a cat")])
        before = await everything(backend), await stamp_of(backend)
        for closing in (Closing("old", 2), Closing("never", 1)):
            effects = Effects([a_memory()], closed=[closing])
            with pytest.raises(Conflict):
                await backend.queue.apply(jobs_of(a_turn()), effects, now=later(5))
        assert (await everything(backend), await stamp_of(backend)) == before

    async def test_no_other_user_is_changed_without_jobs(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        with pytest.raises(InvalidInput):
            await backend.queue.apply(
                jobs_of(a_turn()), Effects([a_memory(scope=BOB)]), now=later(5)
            )
        assert await backend.vault.users() == ["ann"]

    async def test_a_claim_of_the_same_user_goes_on(self, backend: Backend) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend)
        await backend.store.record([a_turn("t2")])
        await backend.queue.apply(jobs_of(a_turn("t2")), Effects([a_memory()]), now=later(2))
        await done(backend, claim)
        assert [(job.id, job.state) for job in await all_jobs(backend)] == [("t1", State.DONE)]


class QueueUnavailableSuite(BackendSuite):
    """For backends whose queue can break while the turns are well; say how to break it."""

    @abstractmethod
    def broken_queue(self, backend: Backend) -> AbstractAsyncContextManager[None]:
        """Let nobody write jobs until the body ends."""
        ...

    @pytest.mark.requirement("D12")
    async def test_a_turn_whose_job_cannot_be_written_is_not_kept(self, backend: Backend) -> None:
        await backend.store.record([a_turn("t0")])
        before = await everything(backend), await stamp_of(backend)
        async with self.broken_queue(backend):
            for turns in ([a_turn("t1")], [a_turn("t0"), a_turn("t2"), a_turn("t1", scope=BOB)]):
                with pytest.raises(QueueUnavailable):
                    await backend.store.record(turns, priority=Priority.NORMAL)
        assert (await everything(backend), await stamp_of(backend)) == before
        for scope in (ANN, BOB):
            with pytest.raises(NotFound):
                await backend.store.turn(scope, "t1")
        assert await all_jobs(backend) == []

    @pytest.mark.requirement("D12")
    async def test_without_a_job_it_is_kept_and_its_effects_are_applied(
        self, backend: Backend
    ) -> None:
        async with self.broken_queue(backend):
            assert await backend.store.record([a_turn()]) == [a_turn()]
            effects = Effects([a_memory()], vectors=[vectors_for(memory_ref(), 1)])
            kept = await backend.queue.apply(jobs_of(a_turn()), effects, now=later(1))
        assert kept == [a_memory()]
        assert await backend.store.memory(ANN, "m1") == a_memory()

    async def test_what_was_kept_before_needs_no_job(self, backend: Backend) -> None:
        await leave(backend, "t1")
        async with self.broken_queue(backend):
            again = await backend.store.record([a_turn()], priority=Priority.NORMAL)
        assert again == [a_turn()]

    @pytest.mark.requirement("D12")
    async def test_once_mended_jobs_are_left_again(self, backend: Backend) -> None:
        await leave(backend, "t1")
        async with self.broken_queue(backend):
            await backend.store.record([a_turn("t2")])
        await leave(backend, "t3")
        assert names(await claimed(backend)) == ["t1", "t3"]
