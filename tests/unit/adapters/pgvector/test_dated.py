"""How well one record fits the dates asked for: the same as the shard says for all at once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memweaver.adapters.pgvector.dated import told_of, told_then
from memweaver.adapters.shard import dated
from memweaver.adapters.shard.part import MENTION
from memweaver.domain.dates import Span

DAYS = st.integers(738_000, 738_060)
WIDTHS = st.sampled_from([0, 0, 1, 3, 6, 9, 12, 27, 30, 31, 32, 364, 365])
SPANS = st.builds(lambda first, width: Span(first, first + width), DAYS, WIDTHS)


@given(day=DAYS, spans=st.lists(SPANS, max_size=3))
def test_the_day_it_was_told_counts_as_in_the_shard(day: int, spans: list[Span]) -> None:
    [expected] = dated.told_then(np.array([day]), spans)
    assert abs(told_then(day, spans) - expected) < 1e-6


@given(mentions=st.lists(SPANS, max_size=3), spans=st.lists(SPANS, max_size=3))
def test_the_days_it_speaks_of_count_as_in_the_shard(
    mentions: list[Span], spans: list[Span]
) -> None:
    table = np.array([(0, one.first, one.last) for one in mentions], MENTION)
    [expected] = dated.told_of(table, spans, 1)
    assert abs(told_of(mentions, spans) - expected) < 1e-6
