"""Master keys in a file of their owner's."""

import json
import os
from base64 import b64decode, b64encode
from pathlib import Path

from memweaver.adapters.crypto.binding import KEY_BYTES
from memweaver.adapters.crypto.private_file import (
    Signature,
    alone_with,
    read_private,
    replace_private,
    signature,
    translated,
)
from memweaver.errors import ConfigurationError, InvalidInput, Unreadable
from memweaver.ports.keys import KeyCapability, MasterKey, MasterKeys

Keys = dict[int, MasterKey]


class FileMasterKeys(MasterKeys):
    """Versions in a JSON file, made when a key is first needed to wrap. The highest is current.

    The file is looked at on every call, so that what another process did is seen at once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._seen: tuple[Signature, Keys] | None = None

    @property
    def capabilities(self) -> frozenset[KeyCapability]:
        return frozenset({KeyCapability.ROTATE})

    def current(self) -> MasterKey:
        with translated(self._path):
            return latest(self._keys())

    def version(self, number: int) -> MasterKey:
        with translated(self._path):
            keys = self._kept()
        if number not in keys:
            raise Unreadable(f"the key file {self._path} has no master key version {number}")
        return keys[number]

    def add(self) -> MasterKey:
        with translated(self._path):
            self._keys()
            with alone_with(self._path):
                keys = self._read()
                added = new_key(latest(keys).version + 1)
                self._write({**keys, added.version: added})
        return added

    def retire(self, below: int) -> None:
        with translated(self._path), alone_with(self._path):
            keys = self._read()
            kept = {number: key for number, key in keys.items() if number >= below}
            if not kept:
                raise InvalidInput(f"there is no master key version {below} to keep yet")
            if kept != keys:
                self._write(kept)

    def _keys(self) -> Keys:
        """The keys; the first of them is made if there was never one."""
        if self._seen is None and not self._path.exists():
            with alone_with(self._path):
                if not self._path.exists():
                    self._write({1: new_key(1)})
        return self._kept()

    def _kept(self) -> Keys:
        try:
            return self._read()
        except FileNotFoundError:
            raise ConfigurationError(
                f"the key file {self._path} is missing: put it back from a backup, "
                "for without it nothing can be read"
            ) from None

    def _read(self) -> Keys:
        now = signature(self._path)
        if self._seen is None or self._seen[0] != now:
            self._seen = (now, keys_from_json(read_private(self._path), self._path))
        return self._seen[1]

    def _write(self, keys: Keys) -> None:
        replace_private(self._path, keys_to_json(keys))
        self._seen = (signature(self._path), keys)


def latest(keys: Keys) -> MasterKey:
    return keys[max(keys)]


def new_key(version: int) -> MasterKey:
    return MasterKey(version, os.urandom(KEY_BYTES))


def keys_to_json(keys: Keys) -> bytes:
    secrets = {str(number): b64encode(key.secret).decode() for number, key in keys.items()}
    return json.dumps({"master_keys": secrets}, indent=2).encode() + b"\n"


def keys_from_json(content: bytes, path: Path) -> Keys:
    """Raises `ConfigurationError`, which quotes nothing of the file."""
    try:
        secrets = json.loads(content)["master_keys"]
        keys = {int(number): b64decode(text, validate=True) for number, text in secrets.items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        keys = {}
    if not keys or any(len(secret) != KEY_BYTES for secret in keys.values()):
        # No cause is kept either: it would carry the content.
        raise ConfigurationError(
            f"the key file {path} holds no valid master keys: put it back from a backup"
        ) from None
    return {number: MasterKey(number, secret) for number, secret in keys.items()}
