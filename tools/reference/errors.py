"""The page of every error, from the classes and from how each way in shows them."""

from collections.abc import Iterator

from tools.reference.markdown import code, table

from memweaver.cli.errors import exit_code
from memweaver.errors import MemweaverError
from memweaver.interfaces.rest.errors import status_of

INTRODUCTION = """\
# Errors

Everything raised on purpose is a `MemweaverError` with a `code` that does not change.
A family is caught by its class: `except BackendError` also catches `StorageFull`.
Where trying again may help, `retryable` is true.
REST answers `{"error": {"code", "message", "field"}}` with the HTTP status below.
The commands write the message to the standard error and leave with the exit code below.
"""

HEAD = ("code", "class", "family", "retryable", "HTTP", "exit", "meaning")


def page() -> str:
    rows = [row(kind) for kind in family(MemweaverError)]
    return "\n".join([INTRODUCTION, *table(HEAD, rows)])


def family(kind: type[MemweaverError]) -> Iterator[type[MemweaverError]]:
    yield kind
    for child in kind.__subclasses__():
        yield from family(child)


def row(kind: type[MemweaverError]) -> tuple[str, ...]:
    parent = kind.__base__
    return (
        code(kind.code),
        code(kind.__name__),
        code(parent.__name__) if parent and parent is not Exception else "",
        "yes" if kind.retryable else "",
        str(status_of(kind("")).value),
        str(exit_code(kind(""))),
        kind.__doc__ or "",
    )
