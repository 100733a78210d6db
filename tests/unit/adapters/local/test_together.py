"""Callers who share a computation, and what happens when it fails or one of them leaves."""

import asyncio
from asyncio import Task, TaskGroup
from collections.abc import Generator, Sequence
from threading import Event

import pytest

from memweaver.adapters.local.together import Together
from memweaver.domain.memory import Vector
from memweaver.errors import ModelUnavailable

PATIENCE = 10


class Kitchen:
    """Computes when told to, and notes what it was asked in one go."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.begun = Event()
        self.go_on = Event()
        self.spoilt = ""

    def __call__(self, texts: Sequence[str]) -> Sequence[Vector]:
        self.asked.append(list(texts))
        self.begun.set()
        assert self.go_on.wait(PATIENCE)
        if self.spoilt in texts:
            raise ModelUnavailable(f"cannot compute {self.spoilt}")
        return [text.encode() for text in texts]

    def together(self, most: int = 8) -> Together:
        return Together(self, most, "kitchen")


@pytest.fixture
def kitchen() -> Generator[Kitchen]:
    kitchen = Kitchen()
    yield kitchen
    kitchen.go_on.set()


async def start(tasks: TaskGroup, kitchen: Kitchen, together: Together) -> list[Task[Vector]]:
    """One call under way, three that wait for it."""
    first = tasks.create_task(together("a"))
    assert await asyncio.to_thread(kitchen.begun.wait, PATIENCE)
    others = [tasks.create_task(together(text)) for text in "bcd"]
    await asyncio.sleep(0)
    return [first, *others]


async def test_those_who_wait_share_the_next_computation(kitchen: Kitchen) -> None:
    async with TaskGroup() as tasks:
        calls = await start(tasks, kitchen, kitchen.together())
        kitchen.go_on.set()
    assert [call.result() for call in calls] == [b"a", b"b", b"c", b"d"]
    assert kitchen.asked == [["a"], ["b", "c", "d"]]


async def test_no_more_than_allowed_share_one(kitchen: Kitchen) -> None:
    async with TaskGroup() as tasks:
        calls = await start(tasks, kitchen, kitchen.together(most=2))
        kitchen.go_on.set()
    assert [call.result() for call in calls] == [b"a", b"b", b"c", b"d"]
    assert kitchen.asked == [["a"], ["b", "c"], ["d"]]


async def test_a_failure_is_one_caller_s_and_the_others_are_computed_again(
    kitchen: Kitchen,
) -> None:
    kitchen.spoilt = "c"
    together = kitchen.together()
    calls: list[Task[Vector]] = []

    async def bear_it() -> None:
        with pytest.raises(ModelUnavailable, match="cannot compute c"):
            await together("c")

    async with TaskGroup() as tasks:
        calls.append(tasks.create_task(together("a")))
        assert await asyncio.to_thread(kitchen.begun.wait, PATIENCE)
        calls.append(tasks.create_task(together("b")))
        tasks.create_task(bear_it())
        calls.append(tasks.create_task(together("d")))
        await asyncio.sleep(0)
        kitchen.go_on.set()
    assert [call.result() for call in calls] == [b"a", b"b", b"d"]
    assert kitchen.asked == [["a"], ["b", "c", "d"], ["b"], ["c"], ["d"]]


async def test_an_answer_that_is_too_short_is_a_failure() -> None:
    together = Together(lambda _: [], 8, "kitchen")
    async with asyncio.timeout(PATIENCE):
        with pytest.raises(ValueError, match="shorter"):
            await together("a")


async def test_one_who_leaves_while_computing_harms_nobody(kitchen: Kitchen) -> None:
    async with TaskGroup() as tasks:
        calls = await start(tasks, kitchen, kitchen.together())
        calls[0].cancel()
        await asyncio.sleep(0)
        kitchen.go_on.set()
    assert calls[0].cancelled()
    assert [call.result() for call in calls[1:]] == [b"b", b"c", b"d"]


async def test_one_who_leaves_while_waiting_is_not_computed(kitchen: Kitchen) -> None:
    async with TaskGroup() as tasks:
        calls = await start(tasks, kitchen, kitchen.together())
        calls[2].cancel()
        await asyncio.wait([calls[2]])
        kitchen.go_on.set()
    assert calls[2].cancelled()
    assert kitchen.asked == [["a"], ["b", "d"]]


async def test_whoever_still_waits_at_the_end_is_served(kitchen: Kitchen) -> None:
    together = kitchen.together()
    async with TaskGroup() as tasks:
        calls = await start(tasks, kitchen, together)
        kitchen.go_on.set()
        await asyncio.to_thread(together.close)
    assert [call.result() for call in calls] == [b"a", b"b", b"c", b"d"]


async def test_whoever_comes_after_the_end_is_told_so_and_nobody_waits(kitchen: Kitchen) -> None:
    together = kitchen.together()
    together.close()
    async with asyncio.timeout(PATIENCE):
        for _ in range(2):
            with pytest.raises(RuntimeError, match="shutdown"):
                await together("late")
