"""Turns the driver's errors into ours."""

from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy import exc

from memweaver.errors import BackendError, BackendUnavailable, ConfigurationError, StorageFull

FORBIDDEN = "42501"
FULL = "53100"
PASSING = ("08", "40", "53", "55", "57")
"""Classes of SQLSTATE that trying again may help against."""


@contextmanager
def translated() -> Generator[None]:
    """Let no driver error out of this adapter."""
    try:
        yield
    except exc.DBAPIError as error:
        raise ours(error) from error
    except exc.TimeoutError as error:
        raise BackendUnavailable("no connection to the index became free in time") from error


def ours(error: exc.DBAPIError) -> BackendError | ConfigurationError:
    state = getattr(error.orig, "sqlstate", None)
    said = str(error.orig).partition("\n")[0]  # further lines may quote values
    if state == FORBIDDEN:
        return ConfigurationError(
            f"the database role of the index may not do this ({said}): as an administrator, "
            "run `CREATE EXTENSION vector` once and let the role create tables"
        )
    if state == FULL:
        return StorageFull(f"there is no room left for the index: free some space ({said})")
    lost = state is None and isinstance(error, exc.OperationalError | exc.InterfaceError)
    if lost or (state is not None and state.startswith(PASSING)):
        return BackendUnavailable(
            f"the index could not be reached or is locked: try again ({said})"
        )
    return BackendError(f"the index refused ({said})")
