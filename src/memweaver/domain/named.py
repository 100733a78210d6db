"""Words of a fixed vocabulary, handed in as text by whoever does not import them."""

from enum import StrEnum
from typing import TypeVar

from memweaver.errors import InvalidFilter

Word = TypeVar("Word", bound=StrEnum)


def named(kind: type[Word], field: str, value: str) -> Word:
    """The word of `kind` that `value` is. Raises `InvalidFilter`, which names the known ones."""
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(kind)
        raise InvalidFilter(f"`{field}` cannot be `{value}`; known are {known}") from None
