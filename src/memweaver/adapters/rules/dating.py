"""Days told by their distance, as the days they are."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from zoneinfo import ZoneInfo

from memweaver.domain.conversation import Turn
from memweaver.domain.dates import MONTH, YEAR, Span, dates_named, nearest
from memweaver.domain.relative import RELATIVE, dates_counted

ONE_WEEK, ONE_YEAR = 7, 365
WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
BEHIND = frozenset({"on", "over the"})
"""How people name a day of which only the tense tells by which week's it is."""
NO_ONE_DAY = re.compile(
    rf"\b{WEEKDAY}(?:\s+(?:nights|mornings|afternoons|evenings)\b"
    rf"|,?\s+(?:the\s+)?(?:{YEAR}-\d|\d\d?[./]\d|\d\d?(?:st|nd|rd|th)\b"
    rf"|\d\d?\s+{MONTH}\b|{MONTH}\.?\s+\d))",
    re.IGNORECASE,
)
"""Weekdays not to be counted to: of every week, or with their date beside them."""
JOINT = rf"(?:,|,?\s+(?:and|or|&))\s+(?=(?:on\s+)?{WEEKDAY}\b)"
SEVERAL = re.compile(rf"\bon\s+{WEEKDAY}(?:{JOINT}(?:on\s+)?{WEEKDAY})+\b", re.IGNORECASE)
NEXT_DAY = re.compile(rf"({JOINT})(?={WEEKDAY})", re.IGNORECASE)
ONCE = re.compile(r"\b(?:will|going to|is \w+ing)\b", re.IGNORECASE)
"""How people speak of what will be, and not of what they do every week."""
SINCE = re.compile(r"\bsince\b", re.IGNORECASE)
"""What holds since then began before now, though it is told as what is."""
ARRANGED = re.compile(r"\b(?:booked|reserved|scheduled|planned|arranged)\b.*\bfor\b", re.IGNORECASE)
"""What was arranged is to come, though it is told as what was."""


@dataclass(frozen=True, slots=True)
class Telling:
    """When something was said, and whether it was said of what was; `None`: nothing tells."""

    at: datetime
    past: bool | None = None


def local(turn: Turn, zone: str) -> datetime:
    """When the turn was said, by the speaker's clock."""
    for name in (turn.metadata.get("timezone"), zone):
        try:
            return turn.at.astimezone(ZoneInfo(str(name)))
        except (KeyError, ValueError, OSError, OverflowError):
            continue
    return turn.at


def absolute(text: str, telling: Telling) -> str:
    """`text` with the days it counts to, named."""
    if not weekly(text, telling):
        text = SEVERAL.sub(lambda days: NEXT_DAY.sub(r"\1on ", days[0]), text)
    for match, span in reversed(list(counted(text, telling))):
        day = named(span, about=bool(match["ago"] or match["ahead"]))
        text = f"{text[: match.start()]}{day}{text[match.end() :]}"
    return text


def counted(text: str, telling: Telling) -> Iterator[tuple[re.Match[str], Span]]:
    """The single days that `text` counts to, as far as the calendar goes, and where."""
    every_week = SEVERAL.finditer(text) if weekly(text, telling) else ()
    apart = [match.span() for match in (*NO_ONE_DAY.finditer(text), *every_week)]
    for match in RELATIVE.finditer(text):
        within = any(match.start() < last and first < match.end() for first, last in apart)
        if match["vague"] is None and not within:
            [span] = dates_counted(ahead(match[0], telling), telling.at)
            if date.min.toordinal() <= span.first and span.last <= date.max.toordinal():
                yield match, span


def weekly(text: str, telling: Telling) -> bool:
    """Whether "on Monday and Friday" means those of every week: not of what was or will be."""
    return telling.past is False and bool(SEVERAL.search(text)) and not ONCE.search(text)


def ahead(day: str, telling: Telling) -> str:
    """The weekday or weekend `day` as the one to come, if that is what is spoken of."""
    led, _, which = day.rpartition(" ")
    return f"next {which}" if telling.past is False and led.lower() in BEHIND else day


def named(span: Span, *, about: bool) -> str:
    first, last = date.fromordinal(span.first), date.fromordinal(span.last)
    days = span.last - span.first + 1
    if days == 1:
        return f"on {first.isoformat()}"
    middle = date.fromordinal((span.first + span.last) // 2)
    if about:
        return f"around {middle.isoformat()}"
    if days >= ONE_YEAR:
        return f"in {middle.year}"
    if days > ONE_WEEK:
        return f"in {middle:%B %Y}"
    return f"between {first.isoformat()} and {last.isoformat()}"


def side(text: str, telling: Telling) -> bool | None:
    """Whether the dates that `text` names are over; mostly the tense tells."""
    if SINCE.search(text):
        return True
    return False if ARRANGED.search(text) else telling.past


def starts(text: str, telling: Telling) -> datetime | None:
    """When what `text` speaks of begins; `None` if it names no day."""
    exact = [one for one in dates_named(text) if one.month is not None]
    past = side(text, telling)
    dated = (nearest(one, telling.at, past=past) for one in exact)
    spans = [span for _, span in counted(text, telling)] or [span for span in dated if span]
    if not spans:
        return None
    return midnight(spans[0].first, telling.at.tzinfo)


def midnight(day: int, zone: tzinfo | None) -> datetime | None:
    """When the day began; `None` if that was before the calendar does, elsewhere."""
    start = datetime.combine(date.fromordinal(day), time(), zone)
    try:
        start.astimezone(UTC)
    except OverflowError:
        return None
    return start
