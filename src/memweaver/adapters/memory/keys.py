"""Master keys that live as long as the process."""

import os

from memweaver.errors import InvalidInput, Unreadable
from memweaver.ports.keys import KeyCapability, MasterKey, MasterKeys


class MemoryMasterKeys(MasterKeys):
    def __init__(self) -> None:
        self._keys = {1: new_key(1)}

    @property
    def capabilities(self) -> frozenset[KeyCapability]:
        return frozenset({KeyCapability.ROTATE})

    def current(self) -> MasterKey:
        return self._keys[max(self._keys)]

    def version(self, number: int) -> MasterKey:
        if number not in self._keys:
            raise Unreadable(f"there is no master key version {number}")
        return self._keys[number]

    def add(self) -> MasterKey:
        added = new_key(max(self._keys) + 1)
        self._keys[added.version] = added
        return added

    def retire(self, below: int) -> None:
        kept = {number: key for number, key in self._keys.items() if number >= below}
        if not kept:
            raise InvalidInput(f"there is no master key version {below} to keep yet")
        self._keys = kept


def new_key(version: int) -> MasterKey:
    return MasterKey(version, os.urandom(32))
