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
    BackendError: "the database refused: if it says so again, put back a copy",
}


@contextmanager
def translated() -> Generator[None]:
    """Let no driver error out of this adapter."""
    try:
        yield
    except exc.DBAPIError as error:
        raise ours(error.orig) from error
    except sqlite3.Error as error:
        raise ours(error) from error
    except exc.TimeoutError as error:
        raise BackendUnavailable("no database connection became free in time") from error


def ours(error: BaseException | None) -> BackendError:
    """What to say of a driver's error. Its first line only: further ones may quote values."""
    family = family_of(error)
    happened = str(error).partition("\n")[0]
    return family(f"{REMEDY[family]} ({happened})")


def family_of(error: BaseException | None) -> type[BackendError]:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return SQLITE.get(code & 0xFF, BackendError)
    state = getattr(error, "sqlstate", None)
    if state is not None:
        return POSTGRES.get(state) or POSTGRES.get(state[:2], BackendError)
    lost = any(kind.__name__ == "OperationalError" for kind in type(error).__mro__)
    return BackendUnavailable if lost else BackendError
