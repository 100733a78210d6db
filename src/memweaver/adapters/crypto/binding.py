"""How a context becomes bytes that a sealed value is bound to, and how failures become ours."""

from collections.abc import Generator
from contextlib import contextmanager
from struct import Struct

from cryptography.exceptions import InvalidTag
from cryptography.fernet import InvalidToken

from memweaver.errors import Unreadable
from memweaver.ports.cipher import Context

KEY_BYTES = 32
"""Length of a key, whichever cipher uses it."""

LENGTHS = Struct(">qIIII")
"""The version and the names' characters, which then follow each other without separators."""

Sealed = bytes | bytearray | memoryview
"""What drivers hand out for a sealed column; none of them is copied before opening."""


def encoded(context: Context) -> bytes:
    """`context` as bytes: no two contexts give the same, and none begins with another's."""
    owner, table, column, row = context.owner, context.table, context.column, context.row
    lengths = LENGTHS.pack(context.version, len(owner), len(table), len(column), len(row))
    # Names are compared as they are, also those with half a character in them.
    return lengths + f"{owner}{table}{column}{row}".encode("utf-8", "surrogatepass")


@contextmanager
def translated(context: Context) -> Generator[None]:
    """Turn what the `cryptography` package raises while opening into `Unreadable`."""
    try:
        yield
    except (InvalidTag, InvalidToken, ValueError) as error:
        raise unreadable(context) from error


def unreadable(context: Context) -> Unreadable:
    return Unreadable(
        f"`{context.column}` of {context.table} {context.row} cannot be opened: it was sealed "
        "under another key or for another place, or has been altered since"
    )
