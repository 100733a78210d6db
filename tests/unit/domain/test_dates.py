"""Dates that texts name, by table."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from memweaver.domain import dates as module
from memweaver.domain.dates import LEAD, MOST, PartialDate, Span, dates_named, nearest

NAMED = [
    ("on 2024-05-06", [(2024, 5, 6)]),
    ("on 2024-5-6", [(2024, 5, 6)]),
    ("on 29.12.2023", [(2023, 12, 29)]),
    ("on 12.13.2023", []),
    ("on 03/04/2024", [(2024, 4, 3), (2024, 3, 4)]),
    ("on 13/04/2024", [(2024, 4, 13)]),
    ("on 04/13/2024", [(2024, 4, 13)]),
    ("on 04/04/2024", [(2024, 4, 4)]),
    ("on 8 May, 2023", [(2023, 5, 8)]),
    ("on the 8th of May", [(None, 5, 8)]),
    ("on May 8th, 2023", [(2023, 5, 8)]),
    ("on Sept. 3", [(None, 9, 3)]),
    ("from Mar 3 to Apr 4, 2024", [(2024, 3, 3), (2024, 4, 4)]),
    ("March 15-20, 2024", [(2024, 3, 15)]),
    ("in June 2022", [(2022, 6, None)]),
    ("in Dec 2022", [(2022, 12, None)]),
    ("in July", [(None, 7, None)]),
    ("JULY", [(None, 7, None)]),
    ("in May or early march", [(None, 5, None), (None, 3, None)]),
    ("May I march to the sea?", []),
    ("they wanted to march", []),
    ("between\n  May and the end of March", [(None, 5, None), (None, 3, None)]),
    ("a margin" + " " * (LEAD - 2) + "may do", []),
    ("in 2021", [(2021, None, None)]),
    ("in 1998 and 2021", [(1998, None, None), (2021, None, None)]),
    ("in June 2021 and July 2022, and August", [(2021, 6, None), (2022, 7, None), (None, 8, None)]),
    ("July, July and July", [(None, 7, None)]),
    ("at 10:30, room 2050b, 31 people", []),
    ("May 3:30 pm", []),
    ("on 31 April", [(None, 4, 31)]),
    ("on 0 May and on 99 May", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "dates"), NAMED)
def test_a_text_names_dates(
    text: str, dates: list[tuple[int | None, int | None, int | None]]
) -> None:
    assert dates_named(text) == tuple(PartialDate(*one) for one in dates)


class Counting:
    """A pattern that counts how much it is given to search."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern
        self.given = 0

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        end = len(text) if end is None else end
        self.given += end - start
        return self.pattern.search(text, start, end)


@pytest.mark.parametrize("name", ["LEADS_TO_A_MONTH", "ADVANCES"])
@pytest.mark.parametrize("piece", ["may ", "march to ", "in may "])
def test_for_each_month_only_what_stands_before_it_is_searched(
    monkeypatch: pytest.MonkeyPatch, name: str, piece: str
) -> None:
    counting = Counting(getattr(module, name))
    monkeypatch.setattr(module, name, counting)
    dates_named(piece * 500)
    assert counting.given <= 500 * LEAD


def test_of_very_many_dates_the_first_are_read() -> None:
    named = [date(2020, 1, 1) + timedelta(day) for day in range(5 * MOST)]
    read = dates_named(" ".join(f"{day} {day}" for day in named))
    assert read == tuple(PartialDate(day.year, day.month, day.day) for day in named[:MOST])


def days(first: date, last: date) -> Span:
    return Span(first.toordinal(), last.toordinal())


def test_a_partial_date_stands_for_days() -> None:
    assert PartialDate(2024, None, None).days(1) == days(date(2024, 1, 1), date(2024, 12, 31))
    assert PartialDate(None, 2, None).days(2024) == days(date(2024, 2, 1), date(2024, 2, 29))
    assert PartialDate(None, 2, 29).days(2024) == days(date(2024, 2, 29), date(2024, 2, 29))
    assert PartialDate(None, 2, 29).days(2023) is None


@pytest.mark.parametrize(
    ("partial", "expected"),
    [
        (PartialDate(None, 12, 24), date(2023, 12, 24)),
        (PartialDate(None, 2, 2), date(2024, 2, 2)),
        (PartialDate(2020, 2, 2), date(2020, 2, 2)),
        (PartialDate(None, 2, 29), date(2024, 2, 29)),
    ],
)
def test_a_date_without_a_year_means_the_nearest(partial: PartialDate, expected: date) -> None:
    span = nearest(partial, datetime(2024, 1, 10, tzinfo=UTC))
    assert span == days(expected, expected)


@pytest.mark.parametrize(
    ("partial", "last", "coming"),
    [
        (PartialDate(None, 3, 1), date(2025, 3, 1), date(2026, 3, 1)),
        (PartialDate(None, 12, 24), date(2025, 12, 24), date(2026, 12, 24)),
        (PartialDate(None, 1, 10), date(2026, 1, 10), date(2026, 1, 10)),
        (PartialDate(2020, 2, 2), date(2020, 2, 2), date(2020, 2, 2)),
    ],
)
def test_a_date_without_a_year_lies_where_the_tense_says(
    partial: PartialDate, last: date, coming: date
) -> None:
    at = datetime(2026, 1, 10, tzinfo=UTC)
    assert nearest(partial, at, past=True) == days(last, last)
    assert nearest(partial, at, past=False) == days(coming, coming)


def test_a_day_that_no_year_around_has_means_nothing() -> None:
    assert nearest(PartialDate(None, 4, 31), datetime(2024, 1, 10, tzinfo=UTC)) is None
    assert nearest(PartialDate(None, 2, 29), datetime(2022, 1, 10, tzinfo=UTC)) is None


@given(some.text(), some.datetimes())
def test_no_text_and_no_time_is_refused(text: str, at: datetime) -> None:
    for partial in dates_named(text + " on 29 February"):
        nearest(partial, at)
