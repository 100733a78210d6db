"""Events in the process: each listener hears its own, in order, and none holds up the others."""

from asyncio import TaskGroup, timeout
from collections.abc import AsyncGenerator
from datetime import UTC, datetime

from memweaver.adapters.memory.events import Heard, LocalEvents
from memweaver.domain.event import Event, EventKind
from memweaver.domain.scope import Scope

MAY = datetime(2026, 5, 1, tzinfo=UTC)


def happened(name: str, user: str = "ann", ai: str | None = None) -> Event:
    return Event(EventKind.MEMORY_ADDED, Scope(user, ai), name, MAY)


async def some(heard: AsyncGenerator[Heard], count: int) -> list[tuple[str, int]]:
    """The next ones, with how many were lost before each."""
    async with timeout(5):
        found = [await anext(heard) for _ in range(count)]
    return [(one.event.id, one.lost) for one in found]


async def test_a_listener_hears_in_order_what_happens_from_now_on() -> None:
    events = LocalEvents()
    await events.emit([happened("before")])
    with events.subscribe(Scope("ann")) as heard:
        await events.emit([happened("one"), happened("two")])
        assert await some(heard, 2) == [("one", 0), ("two", 0)]
        await events.emit([happened("three")])
        assert await some(heard, 1) == [("three", 0)]


async def test_a_listener_that_waits_is_woken() -> None:
    events = LocalEvents()
    with events.subscribe(Scope("ann")) as heard:
        async with timeout(5), TaskGroup() as tasks:
            waiting = tasks.create_task(some(heard, 1))
            tasks.create_task(events.emit([happened("one")]))
        assert waiting.result() == [("one", 0)]


async def test_a_listener_hears_its_own_scope_alone() -> None:
    events = LocalEvents()
    with (
        events.subscribe(Scope("ann")) as all_of_ann,
        events.subscribe(Scope("ann", "helper")) as one_ai,
        events.subscribe(Scope("ben")) as ben,
    ):
        told = [happened("none"), happened("helper", ai="helper"), happened("other", ai="other")]
        await events.emit([*told, happened("bens", "ben")])

        assert await some(all_of_ann, 3) == [("none", 0), ("helper", 0), ("other", 0)]
        assert await some(one_ai, 1) == [("helper", 0)]
        assert await some(ben, 1) == [("bens", 0)]


async def test_a_slow_listener_loses_the_oldest_and_is_told_how_many() -> None:
    events = LocalEvents(waiting=2)
    with events.subscribe(Scope("ann")) as slow, events.subscribe(Scope("ann")) as quick:
        for name in ("one", "two", "three", "four", "five"):
            await events.emit([happened(name)])
            assert await some(quick, 1) == [(name, 0)]
        assert await some(slow, 2) == [("four", 3), ("five", 0)]
        await events.emit([happened("six")])
        assert await some(slow, 1) == [("six", 0)]


async def test_who_has_left_hears_nothing_and_takes_nobody_along() -> None:
    events = LocalEvents()
    with events.subscribe(Scope("ann")) as stays:
        with events.subscribe(Scope("ann")):
            pass
        await events.emit([happened("one")])
        assert await some(stays, 1) == [("one", 0)]
    assert events._listeners == []
