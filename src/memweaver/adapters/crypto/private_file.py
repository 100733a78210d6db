"""A small file that only its owner may read, replaced whole or not at all."""

import errno
import os
from collections.abc import Generator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from stat import S_IRWXG, S_IRWXO, filemode

from memweaver.errors import ConfigurationError, StorageFull

OWNER_ONLY = 0o600

Signature = tuple[int, int, int, int]
"""Changes whenever the file does."""


def signature(path: Path) -> Signature:
    status = path.stat()
    return status.st_ino, status.st_mtime_ns, status.st_size, status.st_mode


def read_private(path: Path) -> bytes:
    """The file's bytes. Raises `ConfigurationError` if others than its owner may read it."""
    with path.open("rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if mode & (S_IRWXG | S_IRWXO):
            raise ConfigurationError(
                f"the key file {path} is open to others ({filemode(mode)}): "
                f"close it with `chmod 600 {path}`"
            )
        return file.read()


def replace_private(path: Path, content: bytes) -> None:
    """Put `content` in the file's place; a crash leaves the old content or the new, never less."""
    new = path.with_name(f"{path.name}.new")
    # A file left by a crash is removed, not opened: its mode and its readers are not ours.
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make names in `folder` survive a loss of power."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def alone_with(path: Path) -> Generator[None]:
    """Keep other threads and processes from changing the file meanwhile."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    try:
        flock(descriptor, LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def translated(path: Path) -> Generator[None]:
    """Turn what the file system raises into ours."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise StorageFull(f"no room for the key file {path}: free some and retry") from error
        raise ConfigurationError(
            f"the key file {path} cannot be used ({error.strerror}): "
            "let the user who runs this program own it and its folder"
        ) from error
