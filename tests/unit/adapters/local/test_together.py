"""Callers who share a computation, and what happens when it fails or one of them leaves."""

from asyncio import CancelledError, Event, Task, TaskGroup
from collections.abc import Sequence

import pytest
from anyio.lowlevel import checkpoint

from memweaver.adapters.local.together import Together
from memweaver.domain.memory import Vector
from memweaver.errors import ModelUnavailable


class Kitchen:
    """Computes when told to, and notes what it was asked in one go."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.begun = Event()
        self.go_on = Event()
        self.broken = False
        self.one_at_a_time = False

    async def __call__(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.asked.append(list(texts))
        self.begun.set()
        await self.go_on.wait()
        if self.one_at_a_time:
            self.go_on.clear()
        if self.broken:
            self.broken = False
            raise ModelUnavailable("broken")
        return [text.encode() for text in texts]


async def start(tasks: TaskGroup, kitchen: Kitchen, together: Together) -> list[Task[Vector]]:
    """One call under way, three that wait for it."""
    first = tasks.create_task(together("a"))
    await kitchen.begun.wait()
    return [first, *(tasks.create_task(together(text)) for text in "bcd")]


async def test_those_who_wait_share_the_next_computation() -> None:
    kitchen = Kitchen()
    async with TaskGroup() as tasks:
        calls = await start(tasks, kitchen, Together(kitchen, most=8))
        kitchen.go_on.set()
    assert [call.result() for call in calls] == [b"a", b"b", b"c", b"d"]
    assert kitchen.asked == [["a"], ["b", "c", "d"]]


async def test_no_more_than_allowed_share_one() -> None:
    kitchen = Kitchen()
    async with TaskGroup() as tasks:
        calls = await start(tasks, kitchen, Together(kitchen, most=2))
        kitchen.go_on.set()
    assert [call.result() for call in calls] == [b"a", b"b", b"c", b"d"]
    assert kitchen.asked == [["a"], ["b", "c"], ["d"]]


async def test_a_failure_is_one_caller_s_and_the_others_are_computed_again() -> None:
    kitchen = Kitchen()
    together = Together(kitchen, most=8)
    kitchen.broken = True
    kitchen.go_on.set()
    with pytest.raises(ModelUnavailable):
        await together("a")
    assert await together("b") == b"b"


async def test_one_who_leaves_while_computing_leaves_the_others_their_turn() -> None:
    kitchen = Kitchen()
    together = Together(kitchen, most=8)
    async with TaskGroup() as tasks:
        first = tasks.create_task(together("a"))
        others = [tasks.create_task(together(text)) for text in "bc"]
        await kitchen.begun.wait()
        first.cancel()
        kitchen.go_on.set()
    assert first.cancelled()
    assert [other.result() for other in others] == [b"b", b"c"]
    assert kitchen.asked[-1] == ["b", "c"]


async def test_one_who_leaves_while_another_computes_for_all_harms_nobody() -> None:
    kitchen = Kitchen()
    kitchen.one_at_a_time = True
    async with TaskGroup() as tasks:
        calls = await start(tasks, kitchen, Together(kitchen, most=8))
        kitchen.begun.clear()
        kitchen.go_on.set()
        await kitchen.begun.wait()
        calls[3].cancel()
        await checkpoint()
        kitchen.go_on.set()
    assert [call.result() for call in calls[:3]] == [b"a", b"b", b"c"]
    assert calls[3].cancelled()
    assert kitchen.asked == [["a"], ["b", "c", "d"]]


async def test_one_who_leaves_while_waiting_is_not_computed() -> None:
    kitchen = Kitchen()
    async with TaskGroup() as tasks:
        calls = await start(tasks, kitchen, Together(kitchen, most=8))
        calls[2].cancel()
        with pytest.raises(CancelledError):
            await calls[2]
        kitchen.go_on.set()
    assert kitchen.asked == [["a"], ["b", "d"]]
