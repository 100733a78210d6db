"""Days told by their distance, as the days they are."""

import re
from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from memweaver.domain.conversation import Turn
from memweaver.domain.dates import Span, dates_named, nearest
from memweaver.domain.relative import RELATIVE, dates_counted

ONE_WEEK, ONE_YEAR = 7, 365
LOOSE = re.compile(
    r"\b(?:on(?= (?:mon|tues|wednes|thurs|fri|satur|sun)day\b)|over the(?= weekend\b))",
    re.IGNORECASE,
)
"""How people name a day by which week's it is only the tense tells."""


def local(turn: Turn, zone: str) -> datetime:
    """When the turn was said, by the speaker's clock."""
    for name in (turn.metadata.get("timezone"), zone):
        try:
            return turn.at.astimezone(ZoneInfo(str(name)))
        except (KeyError, ValueError, OSError):
            continue
    return turn.at


def ahead(text: str) -> str:
    """`text`, of what is to come, with the weekdays it names as those to come."""
    return LOOSE.sub("next", text)


def absolute(text: str, at: datetime) -> str:
    """`text` with the days it counts to, named."""
    found = list(zip(RELATIVE.finditer(text), dates_counted(text, at), strict=True))
    for match, span in reversed(found):
        if match["vague"] is None:
            day = named(span, about=bool(match["ago"] or match["ahead"]))
            text = f"{text[: match.start()]}{day}{text[match.end() :]}"
    return text


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


def starts(text: str, at: datetime) -> datetime | None:
    """When what `text`, said at `at`, speaks of begins; `None` if it names no day."""
    counted = [
        span
        for match, span in zip(RELATIVE.finditer(text), dates_counted(text, at), strict=True)
        if match["vague"] is None
    ]
    exact = [one for one in dates_named(text) if one.month is not None]
    spans = counted or [span for one in exact if (span := nearest(one, at))]
    if not spans:
        return None
    return datetime.combine(date.fromordinal(spans[0].first), time(), at.tzinfo)
