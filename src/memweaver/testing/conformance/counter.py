"""The contract of the `Counter` port, as tests."""

from abc import abstractmethod
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager
from datetime import timedelta

import pytest

from memweaver.ports.counter import Counted, Counter
from memweaver.testing.conformance.backend import NOON

MINUTE = timedelta(minutes=1)


class CounterSuite:
    @abstractmethod
    def open_counter(self) -> AbstractAsyncContextManager[Counter]:
        """One that has counted nothing yet."""
        ...

    @pytest.fixture
    async def counter(self) -> AsyncGenerator[Counter]:
        async with self.open_counter() as counter:
            yield counter

    async def test_what_is_added_in_one_window_adds_up(self, counter: Counter) -> None:
        assert await counter.add("a", 1, MINUTE, NOON) == Counted(0, 1)
        assert await counter.add("a", 5, MINUTE, NOON + MINUTE / 2) == Counted(0, 6)
        assert await counter.add("a", -2, MINUTE, NOON + MINUTE / 2) == Counted(0, 4)
        assert await counter.add("a", 0, MINUTE, NOON + MINUTE / 2) == Counted(0, 4)

    async def test_the_window_before_is_told_and_older_ones_are_not(self, counter: Counter) -> None:
        await counter.add("a", 3, MINUTE, NOON)
        assert await counter.add("a", 1, MINUTE, NOON + MINUTE) == Counted(3, 1)
        assert await counter.add("a", 1, MINUTE, NOON + MINUTE * 2) == Counted(1, 1)
        assert await counter.add("a", 1, MINUTE, NOON + MINUTE * 9) == Counted(0, 1)

    async def test_names_and_windows_are_counted_apart(self, counter: Counter) -> None:
        await counter.add("a", 3, MINUTE, NOON)
        assert await counter.add("b", 1, MINUTE, NOON) == Counted(0, 1)
        assert await counter.add("a", 1, MINUTE * 60, NOON) == Counted(0, 1)

    @pytest.mark.parametrize("name", ["", "ann\0bob", "\ud800", "x" * 10_000])
    async def test_any_text_is_a_name(self, counter: Counter, name: str) -> None:
        await counter.add(name, 1, MINUTE, NOON)
        assert await counter.add(name, 1, MINUTE, NOON) == Counted(0, 2)
