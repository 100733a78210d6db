"""How well records fit the dates that a question names."""

from collections.abc import Iterator, Sequence

import numpy as np

from memweaver.adapters.shard.arrays import Floats, Numbers, Table
from memweaver.domain import ranking
from memweaver.domain.dates import Span


def told_then(days: Numbers, spans: Sequence[Span]) -> Floats:
    """How well the days on which records were told fit the days asked for."""
    fit = np.zeros(len(days), np.float32)
    for span in spans:
        for first, last, value in _steps(span):
            np.maximum(fit, np.float32(value), out=fit, where=(days >= first) & (days <= last))
    return fit


def _steps(span: Span) -> Iterator[tuple[int, int, float]]:
    width = span.last - span.first
    if width > ranking.LONGEST_MONTH:
        yield span.first, span.last, ranking.WHOLE_YEAR
    elif width:
        days, value = ranking.MONTH_AFTER
        yield span.first, span.last, 1.0
        yield span.last + 1, span.last + days, value
    else:
        for days, value in ranking.SOON_AFTER:
            yield span.first, span.first + days, value


def told_of(mentions: Table, spans: Sequence[Span], size: int) -> Floats:
    """How well the days that records speak of fit the days asked for; the best of each counts."""
    fit = np.zeros(len(mentions), np.float32)
    for span in spans:
        np.maximum(fit, _mention_fit(mentions, span), out=fit)
    best = np.zeros(size, np.float32)
    np.maximum.at(best, mentions["row"], fit)
    return best


def _mention_fit(mentions: Table, span: Span) -> Floats:
    first, last = mentions["first"], mentions["last"]
    meets = (first <= span.last) & (last >= span.first)
    width, asked = last - first, span.last - span.first
    if asked > ranking.LONGEST_MONTH:
        return np.where(meets, np.float32(ranking.YEAR_MENTIONED), np.float32(0))
    meets &= width <= ranking.LONGEST_MONTH
    if asked:
        return meets.astype(np.float32)
    vague = np.where(width <= ranking.VAGUE_DAYS, np.float32(1), np.float32(ranking.VAGUE))
    near = (width == 0) & (np.abs(first - span.first) <= ranking.NEAR_DAYS)
    return np.where(meets, vague, np.where(near, np.float32(ranking.NEAR), np.float32(0)))
