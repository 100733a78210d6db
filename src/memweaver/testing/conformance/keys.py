"""The contract of the `MasterKeys` port, as tests."""

from abc import ABC, abstractmethod
from pathlib import Path

import pytest

from memweaver.errors import InvalidInput, Unreadable, Unsupported
from memweaver.ports.keys import KeyCapability, MasterKeys


class MasterKeysSuite(ABC):
    """Subclass, and say how to open master keys that have one version."""

    @abstractmethod
    def open_keys(self, folder: Path) -> MasterKeys: ...

    @pytest.fixture
    def keys(self, tmp_path: Path) -> MasterKeys:
        return self.open_keys(tmp_path)

    def test_the_current_version_can_be_asked_for_by_its_number(self, keys: MasterKeys) -> None:
        current = keys.current()
        assert keys.version(current.version) == current

    def test_asking_again_gives_the_same_key(self, keys: MasterKeys) -> None:
        assert keys.current() == keys.current()

    def test_a_secret_has_256_bits(self, keys: MasterKeys) -> None:
        assert len(keys.current().secret) == 32

    def test_a_key_does_not_show_its_secret(self, keys: MasterKeys) -> None:
        current = keys.current()
        assert repr(current.secret) not in repr(current)

    def test_a_version_nobody_made_is_unreadable(self, keys: MasterKeys) -> None:
        for number in (0, -1, keys.current().version + 1):
            with pytest.raises(Unreadable):
                keys.version(number)

    def test_a_new_version_is_made_or_declared_impossible(self, keys: MasterKeys) -> None:
        old = keys.current()
        if not rotates(keys):
            with pytest.raises(Unsupported):
                keys.add()
            assert keys.current() == old
            return
        new = keys.add()
        assert new.version > old.version
        assert new.secret != old.secret
        assert keys.current() == new
        assert keys.version(old.version) == old

    def test_old_versions_are_destroyed_or_it_is_declared_impossible(
        self, keys: MasterKeys
    ) -> None:
        old = keys.current()
        if not rotates(keys):
            with pytest.raises(Unsupported):
                keys.retire(old.version)
            return
        new = keys.add()
        keys.retire(new.version)
        assert keys.current() == new
        with pytest.raises(Unreadable):
            keys.version(old.version)

    def test_retiring_twice_is_the_same_as_once(self, keys: MasterKeys) -> None:
        if rotates(keys):
            new = keys.add()
            keys.retire(new.version)
            keys.retire(new.version)
            assert keys.current() == new

    def test_the_last_version_is_never_destroyed(self, keys: MasterKeys) -> None:
        if rotates(keys):
            last = keys.add()
            with pytest.raises(InvalidInput):
                keys.retire(last.version + 1)
            assert keys.current() == last

    def test_a_number_is_never_used_twice(self, keys: MasterKeys) -> None:
        if rotates(keys):
            numbers = [keys.current().version]
            for _ in range(5):
                numbers.append(keys.add().version)
                keys.retire(numbers[-1])
            assert len(set(numbers)) == len(numbers)


def rotates(keys: MasterKeys) -> bool:
    return KeyCapability.ROTATE in keys.capabilities
