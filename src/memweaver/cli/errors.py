"""How the commands show our errors: one table of exit codes."""

from collections.abc import Mapping

from memweaver.errors import (
    BackendError,
    ConfigurationError,
    Conflict,
    Denied,
    InvalidInput,
    MemweaverError,
    ModelError,
    NotFound,
    Unreadable,
    Unsupported,
)

EXIT_CODES: Mapping[type[MemweaverError], int] = {
    MemweaverError: 1,
    InvalidInput: 2,  # as for an option that does not exist
    NotFound: 3,
    Conflict: 4,
    Denied: 5,
    Unsupported: 6,
    Unreadable: 7,
    BackendError: 8,
    ModelError: 9,
    ConfigurationError: 10,
}


def exit_code(error: MemweaverError) -> int:
    """The code of the nearest class in the table, so that a new leaf ends as its family does."""
    return next(EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES)
