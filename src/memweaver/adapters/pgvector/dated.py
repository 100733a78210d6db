"""How well a record fits the dates that a question names."""

from collections.abc import Sequence

from memweaver.domain import ranking
from memweaver.domain.dates import Span


def told_then(day: int, spans: Sequence[Span]) -> float:
    """How well the day on which a record was told fits the days asked for."""
    return max((_told(day, span) for span in spans), default=0.0)


def told_of(mentions: Sequence[Span], spans: Sequence[Span]) -> float:
    """How well the days that a record speaks of fit the days asked for; the best pair counts."""
    return max((_mentioned(one, span) for one in mentions for span in spans), default=0.0)


def _told(day: int, span: Span) -> float:
    width, late = span.last - span.first, day - span.last
    if day < span.first:
        return 0.0
    if width > ranking.LONGEST_MONTH:
        return ranking.WHOLE_YEAR if late <= 0 else 0.0
    if width:
        days, value = ranking.MONTH_AFTER
        return 1.0 if late <= 0 else value if late <= days else 0.0
    return next((value for days, value in ranking.SOON_AFTER if late <= days), 0.0)


def _mentioned(one: Span, asked: Span) -> float:
    width, wide = one.last - one.first, asked.last - asked.first
    meets = one.first <= asked.last and one.last >= asked.first
    if wide > ranking.LONGEST_MONTH:
        return ranking.YEAR_MENTIONED if meets else 0.0
    if meets and width <= ranking.LONGEST_MONTH:
        return 1.0 if wide or width <= ranking.VAGUE_DAYS else ranking.VAGUE
    near = not wide and not width and abs(one.first - asked.first) <= ranking.NEAR_DAYS
    return ranking.NEAR if near else 0.0
