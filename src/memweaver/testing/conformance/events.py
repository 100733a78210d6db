"""The contract of the `EventLog` port, as tests: what `Store` and `Queue` leave in it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from memweaver.domain.event import Event, EventKind, Told
from memweaver.domain.memory import Tier
from memweaver.domain.scope import Scope
from memweaver.errors import Conflict, NotFound
from memweaver.ports.backend import Backend
from memweaver.ports.queue import Closing, Effects
from memweaver.testing.conformance.backend import (
    ANN,
    ANN_AT_WORK,
    BOB,
    BackendSuite,
    a_memory,
    a_turn,
    later,
)
from memweaver.testing.conformance.queue import BROKEN, claimed, leave


async def told(backend: Backend, scope: Scope = ANN, after: int = 0) -> Sequence[Told]:
    return await backend.events.since(scope, after, 1000)


async def names(backend: Backend, scope: Scope = ANN, after: int = 0) -> list[tuple[str, str]]:
    return [(one.event.kind.value, one.event.id) for one in await told(backend, scope, after)]


async def end(backend: Backend, scope: Scope = ANN) -> int:
    every = await told(backend, scope)
    return every[-1].number if every else 0


class EventLogSuite(BackendSuite):
    async def test_a_turn_is_told_of_once(self, backend: Backend) -> None:
        for _ in range(2):
            await backend.store.record([a_turn("t1"), a_turn("t2", scope=ANN_AT_WORK)])
        assert [one.event for one in await told(backend)] == [
            Event(EventKind.TURN_RECORDED, ANN, "t1", a_turn("t1").recorded_at),
            Event(EventKind.TURN_RECORDED, ANN_AT_WORK, "t2", a_turn("t2").recorded_at),
        ]

    async def test_what_becomes_of_a_memory_is_told(self, backend: Backend) -> None:
        for _ in range(2):
            await backend.store.add([a_memory()])
        await backend.store.revise(a_memory(text="Ann lives in Bergen", revision=2, after=1))
        moved = a_memory(text="Ann lives in Bergen", revision=3, after=2)
        await backend.store.revise(replace(moved, tier=Tier.ARCHIVE))
        await backend.store.add([replace(a_memory("m2", "Ann moved", after=3), supersedes="m1")])
        await backend.store.erase_memory(ANN, "m1", at=later(9))
        kinds = [(one.event.kind, one.event.id, one.event.tier) for one in await told(backend)]
        first = a_memory().tier
        assert kinds == [
            (EventKind.MEMORY_ADDED, "m1", first),
            (EventKind.MEMORY_REVISED, "m1", first),
            (EventKind.MEMORY_MOVED, "m1", Tier.ARCHIVE),
            (EventKind.MEMORY_CLOSED, "m1", Tier.ARCHIVE),
            (EventKind.MEMORY_ADDED, "m2", first),
            (EventKind.MEMORY_ERASED, "m1", Tier.ARCHIVE),
        ]
        assert (await told(backend))[-1].event.at == later(9)

    async def test_a_reflection_tells_what_it_changed_and_that_it_ended(
        self, backend: Backend
    ) -> None:
        await backend.store.add([a_memory("old"), a_memory("new", "Ann has a cat")])
        await leave(backend, "t1", "t2")
        before = await end(backend)
        revised = a_memory("new", "Ann has two cats", revision=2, after=5)
        added = a_memory("m1", "Ann moved to Bergen", after=5)
        effects = Effects([added], [revised], [Closing("old", 1)])
        await backend.queue.settle(await claimed(backend), effects, now=later(5))
        assert await names(backend, after=before) == [
            ("memory.closed", "old"),
            ("memory.revised", "new"),
            ("memory.added", "m1"),
            ("job.done", "t1"),
            ("job.done", "t2"),
        ]

    async def test_how_an_attempt_ended_is_told(self, backend: Backend) -> None:
        await leave(backend, "t1")
        before = await end(backend)
        queue = backend.queue
        await queue.fail(await claimed(backend), BROKEN, now=later(1), retry_at=later(1))
        await queue.postpone(await claimed(backend), BROKEN, now=later(1), retry_at=later(1))
        await queue.fail(await claimed(backend), BROKEN, now=later(1), retry_at=None)
        ends = ["job.retried", "job.retried", "job.dead"]
        assert await names(backend, after=before) == [(kind, "t1") for kind in ends]

    async def test_what_did_not_happen_is_not_told(self, backend: Backend) -> None:
        await backend.store.add([a_memory()])
        await leave(backend, "t1")
        before = await end(backend)
        effects = Effects([a_memory("m2", "Ann has a cat")], closed=[Closing("m1", 7)])
        with pytest.raises(Conflict):
            await backend.queue.settle(await claimed(backend), effects, now=later(5))
        with pytest.raises(Conflict):
            await backend.store.add([a_memory("m3"), a_memory("m1", "something else")])
        with pytest.raises(NotFound):
            await backend.store.erase_memory(ANN, "never", at=later(5))
        assert await names(backend, after=before) == []

    async def test_it_is_read_some_at_a_time(self, backend: Backend) -> None:
        await backend.store.record([a_turn(f"t{number}") for number in range(5)])
        some = await backend.events.since(ANN, 0, 2)
        rest = await backend.events.since(ANN, some[-1].number, 9)
        assert [one.event.id for one in (*some, *rest)] == ["t0", "t1", "t2", "t3", "t4"]
        assert await backend.events.since(ANN, rest[-1].number, 9) == []

    async def test_a_scope_hears_what_it_may_read(self, backend: Backend) -> None:
        at_home = Scope("ann", "home")
        scopes = (ANN, ANN_AT_WORK, at_home, BOB)
        await backend.store.record([a_turn(f"t{n}", scope=s) for n, s in enumerate(scopes)])
        assert [one for _, one in await names(backend, ANN)] == ["t0", "t1", "t2"]
        assert [one for _, one in await names(backend, ANN_AT_WORK)] == ["t1"]
        assert [one for _, one in await names(backend, BOB)] == ["t3"]
        assert await names(backend, Scope("nobody")) == []

    async def test_the_last_of_several_users_is_asked_for_at_once(self, backend: Backend) -> None:
        await backend.store.record([a_turn("t1"), a_turn("t2"), a_turn("t3", scope=BOB)])
        latest = await backend.events.latest(["ann", "bob", "nobody"])
        assert latest == {"ann": await end(backend), "bob": await end(backend, BOB)}
        assert await backend.events.latest([]) == {}

    async def test_what_is_kept_by_nothing_else_can_be_told(self, backend: Backend) -> None:
        await backend.store.record([a_turn()])
        ended = Event(EventKind.JOB_DEAD, ANN_AT_WORK, "t1", later(1))
        await backend.events.append([ended, replace(ended, scope=Scope("nobody"))])
        assert (await told(backend))[-1].event == ended
        assert await told(backend, Scope("nobody")) == []
        assert await backend.vault.users() == ["ann"]

    async def test_what_is_old_is_forgotten(self, backend: Backend) -> None:
        await backend.store.record([a_turn("t1"), a_turn("t2", after=60)])
        assert await backend.events.trim(later(60)) == 1
        assert await names(backend) == [("turn.recorded", "t2")]
        assert await backend.events.trim(later(60)) == 0

    async def test_it_is_gone_with_the_user(self, backend: Backend) -> None:
        await backend.store.record([a_turn(), a_turn(scope=BOB)])
        await backend.vault.destroy("ann")
        assert await told(backend) == []
        assert await backend.events.latest(["ann", "bob"]) == {"bob": await end(backend, BOB)}

    async def test_a_number_is_never_given_twice(self, backend: Backend) -> None:
        """Or whoever has heard up to it would not hear of what has it now."""
        await backend.store.record([a_turn("t1"), a_turn("t2")])
        heard = await end(backend)
        assert await backend.events.trim(later(60)) == 2
        await backend.store.record([a_turn("t3", after=60)])
        assert await names(backend, after=heard) == [("turn.recorded", "t3")]
        heard = await end(backend)
        await backend.vault.destroy("ann")
        await backend.store.record([a_turn("t4", after=60)])
        assert await names(backend, after=heard) == [("turn.recorded", "t4")]

    async def test_whoever_follows_a_user_misses_nothing(self, backend: Backend) -> None:
        """While many write at once, and another's turns come in between."""
        heard: list[str] = []

        async def write(number: int) -> None:
            await backend.store.record([a_turn(f"t{number}"), a_turn(f"t{number}", scope=BOB)])

        async def follow() -> None:
            after = 0
            while len(heard) < 40:
                for one in await backend.events.since(ANN, after, 7):
                    heard.append(one.event.id)
                    after = one.number
                await asyncio.sleep(0)

        async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
            tasks.create_task(follow())
            for number in range(40):
                tasks.create_task(write(number))
        assert sorted(heard) == sorted(f"t{number}" for number in range(40))
