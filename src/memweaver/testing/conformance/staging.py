"""The contract of the `Queue` port, as tests: what one attempt leaves for the next."""

import pytest

from memweaver.domain.job import State
from memweaver.errors import InvalidInput
from memweaver.ports.backend import Backend
from memweaver.ports.queue import Effects
from memweaver.testing.conformance.backend import ANN, BackendSuite, ended, later
from memweaver.testing.conformance.queue import BROKEN, claimed, done, leave, names, next_claim

COSTLY = bytes(range(256))


class StagingSuite(BackendSuite):
    @pytest.mark.requirement("D6")
    async def test_what_was_staged_comes_again_with_the_very_same_jobs(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1", "t2")
        claim = await claimed(backend, 1)
        await backend.queue.stage(claim, "semantic", b"first")
        await backend.queue.stage(claim, "semantic", COSTLY)
        await backend.queue.stage(claim, "episodic", b"")
        await leave(backend, "t3")
        again = await claimed(backend, 30, batch=1)
        assert names(again) == ["t1", "t2"]
        assert again.staged == {"semantic": COSTLY, "episodic": b""}

    async def test_what_was_staged_outlives_failing_releasing_and_a_new_key(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1", "t2")
        claim = await claimed(backend, 1)
        await backend.queue.stage(claim, "semantic", COSTLY)
        await backend.queue.fail(claim, BROKEN, now=later(1), retry_at=later(2))
        claim = await claimed(backend, 2)
        await backend.queue.release(claim)
        await ended(backend.vault.reseal("ann"))
        claim = await claimed(backend, 2)
        assert (names(claim), claim.staged) == (["t1", "t2"], {"semantic": COSTLY})

    async def test_what_was_staged_is_gone_once_its_jobs_are_settled(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend, 1)
        await backend.queue.stage(claim, "semantic", COSTLY)
        await backend.queue.settle(claim, Effects(), now=later(2), dead=BROKEN)
        await backend.queue.retry("ann", "t1", now=later(3))
        assert (await claimed(backend, 3)).staged == {}

    async def test_jobs_attempted_together_come_alone_if_nothing_was_staged(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1", "t2")
        await backend.queue.fail(await claimed(backend, 1), BROKEN, now=later(1), retry_at=later(2))
        await leave(backend, "t3", "t4")
        come = []
        for _ in range(3):
            claim = await claimed(backend, 2)
            come.append(names(claim))
            await done(backend, claim)
        assert come == [["t1"], ["t2"], ["t3", "t4"]]

    @pytest.mark.requirement("D6")
    @pytest.mark.parametrize("staged", [{}, {"semantic": COSTLY}])
    async def test_jobs_come_together_again_after_an_outage(
        self, backend: Backend, staged: dict[str, bytes]
    ) -> None:
        await leave(backend, "t1", "t2")
        claim = await claimed(backend, 1)
        for name, result in staged.items():
            await backend.queue.stage(claim, name, result)
        await backend.queue.postpone(claim, BROKEN, now=later(1), retry_at=later(2))
        again = await claimed(backend, 2)
        assert (names(again), again.staged) == (["t1", "t2"], staged)

    async def test_who_comes_alone_does_so_after_an_outage_too(self, backend: Backend) -> None:
        await leave(backend, "t1", "t2")
        await backend.queue.fail(
            await claimed(backend, 1), BROKEN, now=later(1), retry_at=later(1), apart=True
        )
        alone = await claimed(backend, 1)
        await backend.queue.postpone(alone, BROKEN, now=later(1), retry_at=later(2))
        assert names(await next_claim(backend, 2)) == ["t1"]

    async def test_a_fresh_batch_ends_before_a_job_attempted_earlier(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1", "t2", "t3")
        await backend.queue.fail(
            await claimed(backend, 1, batch=1), BROKEN, now=later(1), retry_at=None
        )
        await backend.queue.fail(
            await claimed(backend, 1, batch=1), BROKEN, now=later(1), retry_at=later(2)
        )
        await backend.queue.retry("ann", "t1", now=later(2))
        assert names(await next_claim(backend, 2)) == ["t1"]

    async def test_what_was_staged_for_several_is_not_for_one_of_them(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1", "t2")
        claim = await claimed(backend, 1)
        await backend.queue.stage(claim, "semantic", COSTLY)
        await backend.queue.fail(claim, BROKEN, now=later(1), retry_at=None)
        await backend.queue.retry("ann", "t2", now=later(2))
        alone = await claimed(backend, 2)
        assert (names(alone), alone.staged) == (["t2"], {})
        assert (await backend.queue.job(ANN, "t1")).state is State.DEAD

    async def test_what_was_staged_for_one_is_there_when_it_is_retried(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend, 1)
        await backend.queue.stage(claim, "semantic", COSTLY)
        await backend.queue.fail(claim, BROKEN, now=later(1), retry_at=None)
        await backend.queue.retry("ann", "t1", now=later(2))
        assert (await claimed(backend, 2)).staged == {"semantic": COSTLY}

    async def test_what_was_staged_for_several_is_there_when_all_are_retried(
        self, backend: Backend
    ) -> None:
        await leave(backend, "t1", "t2", "t3")
        claim = await claimed(backend, 1, batch=2)
        await backend.queue.stage(claim, "semantic", COSTLY)
        await backend.queue.fail(claim, BROKEN, now=later(1), retry_at=None)
        await backend.queue.retry_all("ann", now=later(2))
        again = await claimed(backend, 2)
        assert (names(again), again.staged) == (["t1", "t2"], {"semantic": COSTLY})

    async def test_only_what_has_a_name_is_staged(self, backend: Backend) -> None:
        await leave(backend, "t1")
        claim = await claimed(backend)
        with pytest.raises(InvalidInput):
            await backend.queue.stage(claim, "\0", b"")
        await done(backend, claim)
