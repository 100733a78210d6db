"""Dates in what people say, absolute and relative, resolved against when they said it."""

import re
from calendar import monthrange
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, datetime
from typing import TypeVar

YEAR = r"(?:19|20)\d\d"
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
NAMED = re.compile(
    rf"\b(?:(?P<iso>(?P<iy>{YEAR})-(?P<im>\d\d?)-(?P<id>\d\d?))"
    rf"|(?P<digits>(?P<d1>\d\d?)(?P<dot>[./])(?P<d2>\d\d?)(?P=dot)(?P<dy>{YEAR}))"
    rf"|(?P<british>(?P<bd>\d\d?)(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<bm>{MONTH})\b\.?"
    rf"(?:,?\s+(?P<by>{YEAR}))?)"
    rf"|(?P<american>(?P<am>{MONTH})\.?\s+(?P<ad>\d\d?)(?:st|nd|rd|th)?\b(?!:)"
    rf"(?:,?\s+(?P<ay>{YEAR}))?)"
    rf"|(?P<whole>(?P<wm>{MONTH})\.?,?\s+(?:of\s+)?(?P<wy>{YEAR}))"
    rf"|(?P<month>january|february|march|april|may|june|july|august|september|october"
    rf"|november|december)"
    rf"|(?P<year>{YEAR}))\b",
    re.IGNORECASE,
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
ALSO_WORDS = frozenset({"march", "may"})
"""Months whose names are verbs too: dates only where a word before them says so."""
LEADS_TO_A_MONTH = re.compile(
    r"\b(?:in|of|during|since|until|till|by|from|late|early|mid|last|next|this|through|between"
    r"|before|after|around|and|to)[\s-]+$",
    re.IGNORECASE,
)
ADVANCES = re.compile(r"\bto\s+$", re.IGNORECASE)
LEAD = 24
"""Characters before a month in which that word is looked for: for each, all before take long."""
MOST = 64
"""Dates read of one text: each of them is compared with every record. Few people name as many."""

One = TypeVar("One", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Span:
    """The days from `first` to `last`, both counted as `date.toordinal` does."""

    first: int
    last: int


def year_span(year: int) -> Span:
    return Span(date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal())


def month_span(year: int, month: int) -> Span:
    first = date(year, month, 1).toordinal()
    return Span(first, first + monthrange(year, month)[1] - 1)


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A date as far as it was said; `None` where nothing was."""

    year: int | None
    month: int | None
    day: int | None

    def days(self, year: int) -> Span | None:
        """The days it stands for, in `year` if it names none; `None` if there is no such day."""
        year = self.year or year
        if self.month is None:
            return year_span(year)
        month = month_span(year, self.month)
        if self.day is None:
            return month
        day = month.first + self.day - 1
        return Span(day, day) if day <= month.last else None


def dates_named(text: str) -> tuple[PartialDate, ...]:
    """The dates that `text` names. A year named once holds for all of them."""
    reads = (read for match in NAMED.finditer(text) for read in _READERS[_kind(match)](match))
    found = first_of(reads)
    years = {read.year for read in found if read.year is not None}
    year = years.pop() if len(years) == 1 else None
    dates = [read for read in found if read.month is not None]
    whole = [PartialDate(d.year or year, d.month, d.day) for d in dates] or found
    return tuple(dict.fromkeys(whole))


def first_of(found: Iterable[One]) -> tuple[One, ...]:
    """What was found, each once, and no more than `MOST` of it."""
    kept = dict[One, None]()
    for one in found:
        kept[one] = None
        if len(kept) == MOST:
            break
    return tuple(kept)


def nearest(partial: PartialDate, at: datetime, *, past: bool | None = None) -> Span | None:
    """The days meant by `partial` when it was said at `at`: in the nearest year, if it has none.

    `past` says on which side of that day to look first, where the tense tells.
    """
    years = (partial.year,) if partial.year else (at.year, at.year - 1, at.year + 1)
    there = (year for year in years if MINYEAR <= year <= MAXYEAR)
    spans = [span for year in there if (span := partial.days(year))]
    today = at.toordinal()
    if past is not None:
        spans = [one for one in spans if _on_side(one, today, past=past)] or spans
    return min(spans, key=lambda span: abs(span.first + span.last - 2 * today), default=None)


def _on_side(span: Span, today: int, *, past: bool) -> bool:
    return span.first <= today if past else span.last >= today


def _kind(match: re.Match[str]) -> str:
    return next(kind for kind in _READERS if match[kind] is not None)


def _one(year: str | None, month: int, day: int | None) -> Iterator[PartialDate]:
    if 1 <= month <= len(MONTHS) and (day is None or 1 <= day <= 31):  # noqa: PLR2004 the longest month
        yield PartialDate(int(year) if year else None, month, day)


def _number(month: str) -> int:
    return MONTHS.index(month[:3].lower()) + 1


def _digits(match: re.Match[str]) -> Iterator[PartialDate]:
    """Day first, or month first: both are yielded where both are dates."""
    first, second = int(match["d1"]), int(match["d2"])
    yield from _one(match["dy"], second, first)
    if match["dot"] == "/" and first != second:
        yield from _one(match["dy"], first, second)


def _month(match: re.Match[str]) -> Iterator[PartialDate]:
    name = match["month"].lower()
    if name in ALSO_WORDS:
        before = match.string, max(0, match.start() - LEAD), match.start()
        if not LEADS_TO_A_MONTH.search(*before) or ADVANCES.search(*before):
            return
    yield from _one(None, _number(name), None)


_READERS: dict[str, Callable[[re.Match[str]], Iterator[PartialDate]]] = {
    "iso": lambda m: _one(m["iy"], int(m["im"]), int(m["id"])),
    "digits": _digits,
    "british": lambda m: _one(m["by"], _number(m["bm"]), int(m["bd"])),
    "american": lambda m: _one(m["ay"], _number(m["am"]), int(m["ad"])),
    "whole": lambda m: _one(m["wy"], _number(m["wm"]), None),
    "month": _month,
    "year": lambda m: iter([PartialDate(int(m["year"]), None, None)]),
}
