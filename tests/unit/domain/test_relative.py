"""Dates that texts count to, by table: all of them said on Wednesday, 8 May 2024."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as some

from memweaver.domain.dates import MOST, Span
from memweaver.domain.relative import RELATIVE, dates_counted, dates_said

WEDNESDAY = datetime(2024, 5, 8, 20, 0, tzinfo=UTC)

COUNTED = [
    ("Yesterday I ran", "2024-05-07", "2024-05-07"),
    ("last night", "2024-05-07", "2024-05-07"),
    ("the day before yesterday", "2024-05-06", "2024-05-06"),
    ("today", "2024-05-08", "2024-05-08"),
    ("THIS MORNING", "2024-05-08", "2024-05-08"),
    ("tomorrow", "2024-05-09", "2024-05-09"),
    ("recently", "2024-04-29", "2024-05-07"),
    ("three days ago", "2024-05-05", "2024-05-05"),
    ("10 days back", "2024-04-28", "2024-04-28"),
    ("a week ago", "2024-04-29", "2024-05-03"),
    ("a couple of weeks ago", "2024-04-22", "2024-04-26"),
    ("two months ago", "2024-02-22", "2024-03-23"),
    ("a year ago", "2022-11-08", "2023-11-07"),
    ("in two days", "2024-05-10", "2024-05-10"),
    ("last weekend", "2024-05-04", "2024-05-05"),
    ("over the weekend", "2024-05-04", "2024-05-05"),
    ("this weekend", "2024-05-11", "2024-05-12"),
    ("last Friday", "2024-05-03", "2024-05-03"),
    ("last Wednesday", "2024-05-01", "2024-05-01"),
    ("on Monday", "2024-05-06", "2024-05-06"),
    ("this wednesday", "2024-05-08", "2024-05-08"),
    ("next Wednesday", "2024-05-15", "2024-05-15"),
    ("coming Sunday", "2024-05-12", "2024-05-12"),
    ("last week", "2024-04-29", "2024-05-05"),
    ("this week", "2024-05-06", "2024-05-12"),
    ("next week", "2024-05-13", "2024-05-19"),
    ("last month", "2024-04-01", "2024-04-30"),
    ("next month", "2024-06-01", "2024-06-30"),
    ("past year", "2023-01-01", "2023-12-31"),
    ("this year", "2024-01-01", "2024-12-31"),
]


def span(first: str, last: str) -> Span:
    return Span(date.fromisoformat(first).toordinal(), date.fromisoformat(last).toordinal())


@pytest.mark.parametrize(("text", "first", "last"), COUNTED)
def test_a_text_counts_to_days(text: str, first: str, last: str) -> None:
    assert list(dates_counted(text, WEDNESDAY)) == [span(first, last)]


def test_last_month_may_be_last_year() -> None:
    january = datetime(2024, 1, 31, tzinfo=UTC)
    assert list(dates_counted("last month", january)) == [span("2023-12-01", "2023-12-31")]


def test_dates_are_named_and_counted_each_once() -> None:
    text = "Yesterday, so on 7 May, and yesterday again; on 31 April never."
    assert dates_said(text, WEDNESDAY) == (span("2024-05-07", "2024-05-07"),)


def test_of_very_many_days_the_first_are_read() -> None:
    text = " ".join(f"{count} days ago, {count} days ago" for count in range(1, 5 * MOST))
    today = WEDNESDAY.toordinal()
    expected = [Span(today - count, today - count) for count in range(1, MOST + 1)]
    assert list(dates_counted(text, WEDNESDAY)) == expected


@pytest.mark.parametrize("text", ["the last one", "week", "in time", "a day", "on the sunday best"])
def test_most_words_are_no_dates(text: str) -> None:
    assert list(dates_counted(text, WEDNESDAY)) == []


@given(some.datetimes(), some.from_regex(RELATIVE))
def test_no_text_and_no_time_is_refused(at: datetime, text: str) -> None:
    dates_said(text, at)
