"""Dates in what people say, absolute and relative, resolved against when they said it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class PartialDate:
    """A date as far as it was said; `None` where nothing was."""

    year: int | None
    month: int | None
    day: int | None
