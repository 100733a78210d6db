"""The bell in the process: each listener hears of whom something is told, and none holds it up."""

from asyncio import TaskGroup, timeout

from memweaver.adapters.memory.events import LocalEvents


async def test_a_listener_hears_of_whom_something_is_told_from_now_on() -> None:
    events = LocalEvents()
    await events.ring("before")
    with events.listening() as ears:
        for user in ("ann", "bob", "ann"):
            await events.ring(user)
        assert await ears.heard(0) == {"ann", "bob"}
        assert await ears.heard(0) == frozenset()


async def test_a_listener_that_waits_is_woken() -> None:
    events = LocalEvents()
    with events.listening() as ears:
        async with timeout(5), TaskGroup() as tasks:
            waiting = tasks.create_task(ears.heard(60))
            tasks.create_task(events.ring("ann"))
        assert waiting.result() == {"ann"}


async def test_each_listener_hears_for_itself_until_it_leaves() -> None:
    events = LocalEvents()
    with events.listening() as first:
        with events.listening() as second:
            await events.ring("ann")
            assert await first.heard(0) == await second.heard(0) == {"ann"}
        await events.ring("bob")
        assert await first.heard(0) == {"bob"}
        assert not await second.heard(0)
