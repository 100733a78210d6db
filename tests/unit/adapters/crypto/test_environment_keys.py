"""Master keys given as text: every form, and every mistake, which never quotes the key."""

from base64 import b64encode, urlsafe_b64encode

import pytest

from memweaver.adapters.crypto import EnvironmentMasterKeys
from memweaver.errors import ConfigurationError, Unreadable, Unsupported
from memweaver.ports.keys import MasterKey

ONE = bytes(range(224, 256))
TWO = bytes(range(32))
FIRST = b64encode(ONE).decode()
SECOND = b64encode(TWO).decode()
ZEROS = b64encode(bytes(32)).decode()
FEW = b64encode(bytes(range(7)) * 4 + bytes(4)).decode()


def test_one_key_alone_is_version_one() -> None:
    assert EnvironmentMasterKeys(FIRST).current() == MasterKey(1, ONE)


@pytest.mark.parametrize("text", [f"2:{SECOND},1:{FIRST}", f" 1:{FIRST} , 2:{SECOND}\n"])
def test_the_highest_of_several_versions_is_current(text: str) -> None:
    keys = EnvironmentMasterKeys(text)
    assert keys.current() == MasterKey(2, TWO)
    assert keys.version(1) == MasterKey(1, ONE)


def test_the_url_safe_alphabet_is_read_too() -> None:
    assert "_" in urlsafe_b64encode(ONE).decode()
    assert EnvironmentMasterKeys(urlsafe_b64encode(ONE).decode()).current().secret == ONE


def test_a_bad_key_can_be_left_behind() -> None:
    keys = EnvironmentMasterKeys(f"2:{SECOND},1:{ZEROS}")
    assert keys.current() == MasterKey(2, TWO)
    assert keys.version(1) == MasterKey(1, bytes(32))


def test_a_version_that_is_not_given_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="version 1 is needed but not given"):
        EnvironmentMasterKeys(f"2:{SECOND}").version(1)


def test_rotation_is_refused_with_what_to_do_instead() -> None:
    keys = EnvironmentMasterKeys(FIRST)
    with pytest.raises(Unsupported, match="2:NEW,1:OLD"):
        keys.add()
    with pytest.raises(Unsupported, match="2:NEW,1:OLD"):
        keys.retire(1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "has 0 bytes"),
        ("hunter2hunter2!", "not base64"),
        ("hunter2é", "not base64"),
        (FIRST[:-4], "has 30 bytes"),
        (FIRST + FIRST, "not base64"),
        (f"1:{FIRST},1:{SECOND}", "version 1 twice"),
        (f"0:{FIRST}", "no positive number"),
        (f"-1:{FIRST}", "no positive number"),
        (f"{FIRST}:2", "no positive number"),
        (f"two:{FIRST}", "no positive number"),
        (f"1:{FIRST},", "has 0 bytes|version 1 twice"),
        (f"1:2:{FIRST}", "no positive number"),
        (ZEROS, "version 1 of the master key can be guessed.*/dev/urandom.*`2:NEW,1:OLD`"),
        (FEW, "can be guessed"),
        (f"2:{ZEROS},1:{FIRST}", "version 2.*`3:NEW,2:OLD`"),
    ],
)
def test_a_mistake_is_explained_without_showing_the_key(text: str, reason: str) -> None:
    with pytest.raises(ConfigurationError, match=reason) as caught:
        EnvironmentMasterKeys(text)
    assert not any(part in str(caught.value) for part in (FIRST, FIRST[:10], SECOND, "hunter2"))
    assert caught.value.__cause__ is None
