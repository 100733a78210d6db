"""Where a list goes on, as text that means something to us alone."""

import struct
from base64 import urlsafe_b64decode, urlsafe_b64encode

from memweaver.errors import InvalidInput

POSITION = struct.Struct(">q")
"""As wide as a database counts."""


def cursor_of(position: int | None) -> str | None:
    if position is None:
        return None
    return urlsafe_b64encode(POSITION.pack(position)).decode().rstrip("=")


def position_of(cursor: str | None) -> int | None:
    """Raises `InvalidInput`."""
    if cursor is None:
        return None
    try:
        [position] = POSITION.unpack(urlsafe_b64decode(cursor + "="))
    except (ValueError, struct.error) as error:
        raise InvalidInput("`cursor` is not one that a list has answered with") from error
    return int(position)
