"""How much is too much."""

from datetime import UTC, datetime, timedelta

from memweaver.domain.rate import Allowance, window_of

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def test_the_window_before_counts_less_and_less() -> None:
    ten = Allowance(10, MINUTE)
    assert not ten.exceeded(0, 10, NOON)
    assert ten.exceeded(0, 11, NOON)
    assert ten.exceeded(10, 1, NOON)
    assert not ten.exceeded(10, 5, NOON + MINUTE / 2)
    assert ten.exceeded(10, 6, NOON + MINUTE / 2)


def test_waiting_a_tenth_of_the_window_is_worth_a_try() -> None:
    assert Allowance(10, MINUTE).wait == 6.0


def test_windows_follow_each_other() -> None:
    numbers = [window_of(NOON + part * MINUTE, MINUTE) for part in (0, 0.99, 1)]
    assert numbers[0] == numbers[1] == numbers[2] - 1
