"""Dates told by their distance from the day on which they were said."""

import re
from collections.abc import Callable, Iterator
from datetime import MAXYEAR, MINYEAR, datetime

from memweaver.domain.dates import Span, dates_named, first_of, month_span, nearest, year_span

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SATURDAY = WEEKDAYS.index("sat")
COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBERS = {word: number for number, word in enumerate(COUNTED, 1)}
NUMBERS |= {"a": 1, "an": 1, "couple": 2, "few": 3}
_COUNT = r"(?:\d{1,3}|" + "|".join(NUMBERS) + ")"
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
RELATIVE = re.compile(
    r"\b(?:(?P<day>day before yesterday|yesterday|last night|today|tonight"
    r"|this (?:morning|afternoon|evening)|tomorrow)"
    r"|(?P<vague>recently|the other day|lately)"
    rf"|(?P<ago>(?P<agon>{_COUNT})(?: of)? (?P<agou>day|week|month|year)s? (?:ago|back))"
    rf"|(?P<ahead>in (?P<aheadn>{_COUNT})(?: of)? (?P<aheadu>day|week|month|year)s?"
    rf"(?! (?:ago|back)))"
    r"|(?P<weekend>(?P<weekendw>last|past|over the|this|next|upcoming|coming) weekend)"
    rf"|(?P<weekday>(?P<weekdayw>last|past|on|this|next|coming) (?P<weekdayd>{_WEEKDAY}))"
    r"|(?P<unit>(?P<unitw>last|past|this|next) (?P<unitu>week|month|year)))\b",
    re.IGNORECASE,
)
BACKWARD = frozenset({"last", "past", "on", "over the"})
"""Of these people speak who mean the day that was; "this" may be today, the others are to come."""
STEPS = {"last": -1, "past": -1, "this": 0, "next": 1}
DAYS = {"day before yesterday": -2, "yesterday": -1, "last night": -1, "tomorrow": 1}
SLACK = {"day": 0, "week": 2, "month": 15, "year": 182}
"""How many days off people are who count in these units."""
LENGTH = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}


def dates_said(text: str, at: datetime) -> tuple[Span, ...]:
    """The days that `text`, said at `at`, speaks of: those it names and those it counts to."""
    named = (nearest(partial, at) for partial in dates_named(text))
    spans = [*(span for span in named if span), *dates_counted(text, at)]
    return tuple(dict.fromkeys(spans))


def dates_counted(text: str, at: datetime) -> tuple[Span, ...]:
    """The days that `text` tells by their distance from `at`."""
    return first_of(_counted(text, at))


def _counted(text: str, at: datetime) -> Iterator[Span]:
    for match in RELATIVE.finditer(text):
        kind = next(kind for kind in _READERS if match[kind] is not None)
        yield _READERS[kind](match, at)


def _day(match: re.Match[str], at: datetime) -> Span:
    return _around(at.toordinal() + DAYS.get(match["day"].lower(), 0), 0)


def _vague(_: re.Match[str], at: datetime) -> Span:
    return Span(at.toordinal() - 9, at.toordinal() - 1)


def _ago(match: re.Match[str], at: datetime) -> Span:
    return _distance(match["agon"], match["agou"], at, -1)


def _ahead(match: re.Match[str], at: datetime) -> Span:
    return _distance(match["aheadn"], match["aheadu"], at, +1)


def _distance(count: str, unit: str, at: datetime, sign: int) -> Span:
    number = NUMBERS.get(count.lower()) or int(count)
    days = round(number * LENGTH[unit.lower()])
    return _around(at.toordinal() + sign * days, SLACK[unit.lower()])


def _weekend(match: re.Match[str], at: datetime) -> Span:
    saturday = _weekday_from(at, SATURDAY, match["weekendw"].lower())
    return Span(saturday, saturday + 1)


def _weekday(match: re.Match[str], at: datetime) -> Span:
    weekday = WEEKDAYS.index(match["weekdayd"][:3].lower())
    return _around(_weekday_from(at, weekday, match["weekdayw"].lower()), 0)


def _weekday_from(at: datetime, weekday: int, which: str) -> int:
    """The last such weekday before the day of `at`, or the next one after it."""
    if which in BACKWARD:
        return at.toordinal() - ((at.weekday() - weekday) % 7 or 7)
    ahead = (weekday - at.weekday()) % 7
    return at.toordinal() + (ahead if ahead or which == "this" else 7)


def _unit(match: re.Match[str], at: datetime) -> Span:
    step, today = STEPS[match["unitw"].lower()], at.toordinal()
    match match["unitu"].lower():
        case "week":
            monday = today - at.weekday() + 7 * step
            return Span(monday, monday + 6)
        case "month":
            years, month = divmod(at.month - 1 + step, 12)
            return month_span(_there(at.year + years), month + 1)
        case _:
            return year_span(_there(at.year + step))


def _there(year: int) -> int:
    return min(max(year, MINYEAR), MAXYEAR)


def _around(day: int, slack: int) -> Span:
    return Span(day - slack, day + slack)


_READERS: dict[str, Callable[[re.Match[str], datetime], Span]] = {
    "day": _day,
    "vague": _vague,
    "ago": _ago,
    "ahead": _ahead,
    "weekend": _weekend,
    "weekday": _weekday,
    "unit": _unit,
}
