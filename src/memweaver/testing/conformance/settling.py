"""The contract of the `Queue` port, as tests: effects, all of them or none, and once."""

from dataclasses import replace

import pytest

from memweaver.domain.job import State
from memweaver.domain.memory import Memory, Tier
from memweaver.errors import Conflict, InvalidInput
from memweaver.ports.backend import Backend
from memweaver.ports.queue import Closing, Effects
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_memory,
    everything,
    later,
    memory_ref,
    stamp_of,
    turn_ref,
    vectors_for,
)
from memweaver.testing.conformance.queue import BROKEN, claimed, done, leave, next_claim

OSLO = a_memory("m9", "ann  lives in\tOSLO .")
"""What `a_memory()` says, in other writing."""


class SettlingSuite(BackendSuite):
    @pytest.mark.requirement("D13")
    async def test_all_effects_come_with_the_end_of_the_jobs(self, backend: Backend) -> None:
        await backend.store.add([a_memory("old"), a_memory("new", "Ann has a cat")])
        await leave(backend, "t1", "t2")
        revised = a_memory("new", "Ann has two cats", revision=2, after=5)
        added = a_memory("m1", "Ann moved to Bergen", after=5)
        effects = Effects(
            added=[added],
            revised=[revised],
            closed=[Closing("old", 1, valid_to=later(-5))],
            vectors=[vectors_for(memory_ref("m1"), 1), vectors_for(turn_ref("t1"), 2, 3)],
        )
        claim = await claimed(backend)
        assert await backend.queue.settle(claim, effects, now=later(5)) == [added]
        assert await backend.store.memory(ANN, "m1") == added
        assert await backend.store.memory(ANN, "new") == revised
        old = (await backend.store.memory(ANN, "old")).validity
        assert (old.known_to, old.valid_to) == (later(5), later(-5))
        assert [one.ref.id for one in (await everything(backend)).vectors] == ["m1", "t1"]
        waiting = await backend.vectors.unembedded("small-model", 10)
        assert {one.ref.id for one in waiting} == {"t2", "old", "new"}
        for name in ("t1", "t2"):
            job = await backend.queue.job(ANN, name)
            assert (job.state, job.settled_at, job.failure) == (State.DONE, later(5), None)
        assert await next_claim(backend, 60) is None

    async def test_jobs_may_end_dead_with_what_could_be_done(self, backend: Backend) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend)
        effects = Effects([a_memory()])
        assert await backend.queue.settle(claim, effects, now=later(2), dead=BROKEN)
        job = await backend.queue.job(ANN, "t1")
        assert (job.state, job.failure, job.failures) == (State.DEAD, BROKEN, 1)
        assert await backend.store.memory(ANN, "m1") == a_memory()

    async def test_what_succeeds_in_the_end_has_no_failure(self, backend: Backend) -> None:
        await leave(backend, "t1")
        await backend.queue.fail(await claimed(backend), BROKEN, now=later(1), retry_at=later(1))
        await done(backend, await claimed(backend))
        job = await backend.queue.job(ANN, "t1")
        assert (job.state, job.attempts, job.failures, job.failure) == (State.DONE, 2, 1, None)

    @pytest.mark.requirement("D13")
    async def test_words_that_an_open_memory_says_are_left_out(self, backend: Backend) -> None:
        await backend.store.add([a_memory()])
        await leave(backend, "t1")
        before = await stamp_of(backend)
        claim = await claimed(backend)
        effects = Effects([OSLO], vectors=[vectors_for(memory_ref("m9"), 1)])
        assert await backend.queue.settle(claim, effects, now=later(2)) == []
        assert await stamp_of(backend) == before

    async def test_words_said_twice_at_once_are_kept_once(self, backend: Backend) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend)
        effects = Effects([a_memory(), OSLO])
        assert await backend.queue.settle(claim, effects, now=later(2)) == [a_memory()]

    @pytest.mark.parametrize(
        "other",
        [
            replace(OSLO, scope=ANN_AT_WORK),
            replace(OSLO, tier=Tier.EPISODIC),
            replace(OSLO, key="home"),
            replace(OSLO, text="Ann lives in Oslo now"),
            replace(OSLO, text="Ann lives in Oslo?"),
        ],
    )
    async def test_the_same_words_elsewhere_and_other_words_are_kept(
        self, backend: Backend, other: Memory
    ) -> None:
        await backend.store.add([a_memory()])
        await leave(backend, "t1")
        claim = await claimed(backend)
        assert await backend.queue.settle(claim, Effects([other]), now=later(2)) == [other]

    async def test_words_of_a_memory_that_is_closed_may_be_said_anew(
        self, backend: Backend
    ) -> None:
        await backend.store.add([a_memory()])
        await leave(backend, "t1")
        effects = Effects([OSLO], closed=[Closing("m1", 1)])
        assert await backend.queue.settle(await claimed(backend), effects, now=later(2)) == [OSLO]

    async def test_words_in_quarantine_do_not_silence_anybody(self, backend: Backend) -> None:
        await backend.store.add([replace(a_memory(), quarantined=True)])
        await leave(backend, "t1", "t2")
        suspect = Effects([replace(OSLO, quarantined=True)])
        claim = await claimed(backend, batch=1)
        assert await backend.queue.settle(claim, suspect, now=later(2)) == []
        claim = await claimed(backend, batch=1)
        assert await backend.queue.settle(claim, Effects([OSLO]), now=later(2)) == [OSLO]

    @pytest.mark.parametrize(
        "suspect",
        [
            a_memory("m2", "Rome", tier=Tier.CORE, key="city"),
            replace(a_memory("m2", "Ann lives in Rome"), supersedes="m1"),
        ],
    )
    async def test_what_is_in_quarantine_takes_nobodys_place(
        self, backend: Backend, suspect: Memory
    ) -> None:
        known = a_memory(tier=Tier.CORE, key="city")
        await backend.store.add([known])
        await leave(backend, "t1")
        suspect = replace(suspect, quarantined=True)
        claim = await claimed(backend)
        assert await backend.queue.settle(claim, Effects([suspect]), now=later(2)) == [suspect]
        assert await backend.store.memory(ANN, "m1") == known

    async def test_a_memory_that_is_kept_already_is_not_added_again(self, backend: Backend) -> None:
        await backend.store.add([a_memory()])
        await leave(backend, "t1")
        before = await stamp_of(backend)
        claim = await claimed(backend)
        assert await backend.queue.settle(claim, Effects([a_memory()]), now=later(2)) == []
        assert await stamp_of(backend) == before

    @pytest.mark.parametrize(
        "effects",
        [
            Effects(closed=[Closing("m2", 1), Closing("m1", 2)]),
            Effects(closed=[Closing("m2", 1), Closing("closed", 1)]),
            Effects(closed=[Closing("m2", 1), Closing("gone", 1)]),
            Effects(closed=[Closing("m2", 1), Closing("his", 1)]),
            Effects(closed=[Closing("m2", 1), Closing("m2", 1)]),
            Effects([OSLO], [a_memory("m2", "Ann likes tea", revision=2), a_memory(revision=3)]),
            Effects([OSLO], [a_memory("m2", "Ann likes tea", revision=2), a_memory("gone")]),
            Effects([OSLO, a_memory("m1", "Something else")]),
        ],
    )
    async def test_of_effects_that_contradict_what_is_kept_none_is_applied(
        self, backend: Backend, effects: Effects
    ) -> None:
        kept = [a_memory("closed"), a_memory("m2", "Ann likes coffee"), a_memory("gone", "Gone")]
        await backend.store.add([*kept, replace(a_memory("m1", "Rome"), supersedes="closed")])
        await backend.store.add([a_memory("his", "Bob likes tea", scope=BOB)])
        await backend.store.erase_memory(ANN, "gone", at=later(9))
        await leave(backend, "t1")
        claim = await claimed(backend)
        await backend.queue.stage(claim, "semantic", b"kept")
        before = await everything(backend), await stamp_of(backend)
        with pytest.raises(Conflict):
            await backend.queue.settle(claim, effects, now=later(2))
        assert (await everything(backend), await stamp_of(backend)) == before
        assert (await backend.queue.job(ANN, "t1")).state is State.RUNNING
        await backend.queue.release(claim)
        again = await claimed(backend)
        assert again.staged == {"semantic": b"kept"}
        await done(backend, again)

    async def test_a_reflection_changes_no_other_user(self, backend: Backend) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend)
        his = a_memory(scope=BOB)
        for effects in (Effects([a_memory("m2"), his]), Effects(revised=[his])):
            with pytest.raises(InvalidInput):
                await backend.queue.settle(claim, effects, now=later(2))
        assert await backend.vault.users() == ["ann"]
        assert (await everything(backend)).memories == []
