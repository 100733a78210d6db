"""Times as numbers."""

from datetime import UTC, date, datetime, timedelta

import numpy as np

from memweaver.adapters.shard.arrays import Numbers

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
DAY = timedelta(days=1) // MICROSECOND
FIRST_DAY = date(1970, 1, 1).toordinal()


def to_number(time: datetime) -> int:
    """Microseconds since 1970."""
    return (time - EPOCH) // MICROSECOND


def from_number(number: int) -> datetime:
    return EPOCH + timedelta(microseconds=number)


def days_of(numbers: Numbers) -> Numbers:
    """The days of times, counted as `date.toordinal` does."""
    return np.floor_divide(numbers, DAY) + FIRST_DAY
