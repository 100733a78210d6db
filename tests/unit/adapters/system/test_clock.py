"""The clock of this machine and the names it makes."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import RFC_4122, UUID

import pytest

from memweaver.adapters.system import clock as module
from memweaver.adapters.system.clock import SystemClock

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment_in(name: str) -> datetime:
    return EPOCH + timedelta(milliseconds=UUID(name).int >> 80)


def test_it_tells_the_time_in_utc() -> None:
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert before <= now <= datetime.now(UTC)
    assert now.tzinfo is UTC


def test_a_name_is_a_uuid_of_version_7_that_tells_when_it_was_made() -> None:
    clock = SystemClock()
    before = clock.now() - timedelta(milliseconds=1)
    name = clock.new_id()
    assert (UUID(name).version, UUID(name).variant) == (7, RFC_4122)
    assert before <= moment_in(name) <= clock.now()


def test_later_names_sort_after_earlier_ones() -> None:
    clock = SystemClock()
    names = [clock.new_id() for _ in range(20_000)]
    assert names == sorted(set(names))


def test_names_made_in_many_threads_are_all_different() -> None:
    clock = SystemClock()
    with ThreadPoolExecutor(8) as threads:
        names = list(threads.map(lambda _: clock.new_id(), range(20_000)))
    assert len(set(names)) == len(names)


def test_names_of_two_processes_are_different_in_the_same_millisecond(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "time_ns", lambda: 1_700_000_000_000_000_000)
    one, other = SystemClock(), SystemClock()
    names = [clock.new_id() for _ in range(5_000) for clock in (one, other)]
    assert len(set(names)) == len(names)
    assert {moment_in(name) for name in names} == {EPOCH + timedelta(seconds=1_700_000_000)}


def test_a_clock_set_back_does_not_set_names_back(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SystemClock()
    times = iter([5_000_000_000, 1_000_000_000, 1_000_000_000, 6_000_000_000])
    monkeypatch.setattr(module, "time_ns", lambda: next(times))
    names = [clock.new_id() for _ in range(4)]
    assert names == sorted(set(names))
    assert [moment_in(name).second for name in names] == [5, 5, 5, 6]
