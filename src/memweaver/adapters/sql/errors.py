"""Turns the drivers' errors into ours."""

import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from sqlalchemy import exc

from memweaver.errors import BackendError, BackendUnavailable, QueueUnavailable, StorageFull

FAMILIES: Mapping[int | str, type[BackendError]] = {
    sqlite3.SQLITE_FULL: StorageFull,
    sqlite3.SQLITE_BUSY: BackendUnavailable,
    sqlite3.SQLITE_LOCKED: BackendUnavailable,
    sqlite3.SQLITE_CANTOPEN: BackendUnavailable,
    "53100": StorageFull,
    "53": BackendUnavailable,
    "08": BackendUnavailable,
    "57": BackendUnavailable,
    "40": BackendUnavailable,
    "55": BackendUnavailable,
}
"""By SQLite's primary result code; by Postgres' SQLSTATE, or its class."""

OF_ONE_TABLE = {
    *(sqlite3.SQLITE_ERROR, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CORRUPT),
    *(sqlite3.SQLITE_CONSTRAINT, "42", "XX", "23", "58P01"),
}
"""What may be wrong with a table while others are well: missing, forbidden, damaged or at odds."""

DRIVERS = (exc.DBAPIError, sqlite3.Error)
"""Whatever a statement may fail with."""

REMEDY = {
    QueueUnavailable: "the tables of the queue cannot be written: put them back",
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
    return told(family_of(error), error)


def of_the_queue(error: exc.DBAPIError | sqlite3.Error) -> BackendError:
    """What to say if jobs could not be written where turns just were."""
    cause = error.orig if isinstance(error, exc.DBAPIError) else error
    apart = not OF_ONE_TABLE.isdisjoint(codes_of(cause))
    return told(QueueUnavailable if apart else family_of(cause), cause)


def of_damage(error: BackendError) -> bool:
    """Whether SQLite said that what it read makes no sense."""
    cause = getattr(error.__cause__, "orig", error.__cause__)
    return sqlite3.SQLITE_CORRUPT in codes_of(cause)


def told(family: type[BackendError], error: BaseException | None) -> BackendError:
    """What to say of a driver's error. Its first line only: further ones may quote values."""
    happened = str(error).partition("\n")[0]
    return family(f"{REMEDY[family]} ({happened})")


def codes_of(error: BaseException | None) -> Sequence[int | str]:
    """SQLite's primary result code, or Postgres' SQLSTATE and its class; none of a lost server."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return [code & 0xFF]
    state = getattr(error, "sqlstate", None)
    return [] if state is None else [state, state[:2]]


def family_of(error: BaseException | None) -> type[BackendError]:
    codes = codes_of(error)
    if codes:
        return next((FAMILIES[code] for code in codes if code in FAMILIES), BackendError)
    lost = any(kind.__name__ == "OperationalError" for kind in type(error).__mro__)
    return BackendUnavailable if lost else BackendError
