"""The master key suite on every source of master keys."""

from base64 import b64encode
from pathlib import Path

import pytest

from memweaver.adapters.crypto import EnvironmentMasterKeys, FileMasterKeys
from memweaver.adapters.memory.keys import MemoryMasterKeys
from memweaver.errors import Unreadable
from memweaver.ports.keys import MasterKey, MasterKeys
from memweaver.testing.conformance.keys import MasterKeysSuite


class TestFile(MasterKeysSuite):
    def open_keys(self, folder: Path) -> MasterKeys:
        return FileMasterKeys(folder / "master.key")


class TestEnvironment(MasterKeysSuite):
    def open_keys(self, folder: Path) -> MasterKeys:
        return EnvironmentMasterKeys(b64encode(bytes(range(32))).decode())


class TestMemory(MasterKeysSuite):
    def open_keys(self, folder: Path) -> MasterKeys:
        return MemoryMasterKeys()


class Forgetful(MemoryMasterKeys):
    """Says it retired the old versions, and keeps them."""

    def retire(self, below: int) -> None:
        return


class Stuck(MemoryMasterKeys):
    """Makes a new version, and goes on with the old one."""

    def current(self) -> MasterKey:
        return self.version(1)


def test_the_suite_notices_versions_that_are_not_destroyed() -> None:
    with pytest.raises(pytest.fail.Exception):
        TestMemory().test_old_versions_are_destroyed_or_it_is_declared_impossible(Forgetful())


def test_the_suite_notices_a_new_version_that_is_not_used() -> None:
    with pytest.raises((AssertionError, Unreadable)):
        TestMemory().test_a_new_version_is_made_or_declared_impossible(Stuck())
