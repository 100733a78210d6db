"""Turns the drivers' errors into ours."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy import exc

from memweaver.errors import BackendError, BackendUnavailable, StorageFull

SQLITE: dict[int, type[BackendError]] = {
    sqlite3.SQLITE_FULL: StorageFull,
    sqlite3.SQLITE_BUSY: BackendUnavailable,
    sqlite3.SQLITE_LOCKED: BackendUnavailable,
    sqlite3.SQLITE_CANTOPEN: BackendUnavailable,
}
"""By primary result code."""

POSTGRES: dict[str, type[BackendError]] = {
    "53100": StorageFull,
    "53": BackendUnavailable,
    "08": BackendUnavailable,
    "57": BackendUnavailable,
    "40": BackendUnavailable,
    "55": BackendUnavailable,
}
"""By SQLSTATE, or its class."""

REMEDY = {
    StorageFull: "there is no room left to write, nothing was kept: free some space and try again",
    BackendUnavailable: "the database could not be reached or is locked: try again",
    BackendError: "the database refused",
}


@contextmanager
def translated() -> Generator[None]:
    """Let no driver error out of this adapter."""
    try:
        yield
    except exc.DBAPIError as error:
        family = family_of(error)
        raise family(f"{REMEDY[family]} ({_first_line(error.orig)})") from error
    except exc.TimeoutError as error:
        raise BackendUnavailable("no database connection became free in time") from error


def family_of(error: exc.DBAPIError) -> type[BackendError]:
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return SQLITE.get(code & 0xFF, BackendError)
    state = getattr(error.orig, "sqlstate", None)
    if state is None:
        unreachable = isinstance(error, exc.OperationalError | exc.InterfaceError)
        return BackendUnavailable if unreachable else BackendError
    return POSTGRES.get(state) or POSTGRES.get(state[:2], BackendError)


def _first_line(error: BaseException | None) -> str:
    """What happened; further lines of a driver's message may quote values."""
    return str(error).partition("\n")[0]
