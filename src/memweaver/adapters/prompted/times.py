"""Reads the times that models write, and writes those they read."""

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from memweaver.domain.relative import RELATIVE, dates_counted

YEAR = re.compile(r"(\d{4})")
MONTH = re.compile(r"(\d{4})-(\d{2})")
DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
DECEMBER = 12


def beginning(written: str, zone: ZoneInfo) -> datetime:
    """The first moment of a year, month or day, or a moment as such. Raises `ValueError`."""
    if parts := YEAR.fullmatch(written):
        return datetime(int(parts[1]), 1, 1, tzinfo=zone)
    if parts := MONTH.fullmatch(written):
        return datetime(int(parts[1]), int(parts[2]), 1, tzinfo=zone)
    moment = datetime.fromisoformat(written)
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment


def end(written: str, zone: ZoneInfo) -> datetime:
    """The first moment after a year, month or day, or a moment as such. Raises `ValueError`."""
    first = beginning(written, zone)
    try:
        if YEAR.fullmatch(written):
            return first.replace(year=first.year + 1)
        if MONTH.fullmatch(written):
            month = first.month % DECEMBER + 1
            return first.replace(year=first.year + first.month // DECEMBER, month=month)
        return first + timedelta(days=1) if DAY.fullmatch(written) else first
    except OverflowError:
        raise ValueError("later than any time") from None


def everywhere(moment: datetime) -> datetime:
    """The same moment in UTC. Raises `ValueError` for one that has none: the very first days."""
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("earlier or later than any time") from None


def day_in(zone: ZoneInfo, moment: datetime) -> str:
    """The day, with its weekday, and the time there, for a model to count from."""
    at = local(zone, moment)
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M}, {at.tzinfo}"


def dated(text: str, zone: ZoneInfo, moment: datetime) -> str:
    """`text` with the days written out that are still counted from then: small models forget to.

    Not "on Friday", which may be the last one or the next. Raises `ValueError`.
    """

    def written(match: re.Match[str]) -> str:
        spans = list(dates_counted(match[0], local(zone, moment)))
        if match[0].lower().startswith("on ") or any(one.first != one.last for one in spans):
            return match[0]
        return f"on {date.fromordinal(spans[0].first)}"

    return RELATIVE.sub(written, text)


def local(zone: ZoneInfo, moment: datetime) -> datetime:
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment
