"""The cipher suite on every cipher, and on broken ones to see that it notices."""

import binascii
import inspect
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from memweaver.adapters.crypto import CIPHERS, AesGcmCipher, FernetCipher, open_cipher
from memweaver.adapters.crypto.binding import encoded
from memweaver.errors import ConfigurationError, Unreadable
from memweaver.ports.cipher import Cipher, Context
from memweaver.testing.conformance.cipher import CLEAR, PLACE, CipherSuite, other_places


@pytest.mark.requirement("C1")
class TestAesGcm(CipherSuite):
    def open_cipher(self) -> Cipher:
        return AesGcmCipher()


@pytest.mark.requirement("C1")
class TestFernet(CipherSuite):
    def open_cipher(self) -> Cipher:
        return FernetCipher()


class TestFamilySealingWithAesGcm(CipherSuite):
    def open_cipher(self) -> Cipher:
        return open_cipher("aes-gcm")


class TestFamilySealingWithFernet(CipherSuite):
    def open_cipher(self) -> Cipher:
        return open_cipher("fernet")


@pytest.mark.parametrize(("sealing", "opening"), list(product(CIPHERS, CIPHERS)))
def test_whatever_one_cipher_sealed_the_family_opens(sealing: str, opening: str) -> None:
    key = open_cipher(sealing).new_key()
    sealed = open_cipher(sealing).seal(key, CLEAR, PLACE)
    assert open_cipher(opening).open(key, sealed, PLACE) == CLEAR
    with pytest.raises(Unreadable):
        open_cipher(opening).open(key, sealed, replace(PLACE, row="t2"))


@pytest.mark.parametrize("name", CIPHERS)
def test_a_family_seals_with_the_cipher_it_is_named_after(name: str) -> None:
    cipher = open_cipher(name)
    key = cipher.new_key()
    assert cipher.name == name
    assert CIPHERS[name].open(key, cipher.seal(key, CLEAR, PLACE), PLACE) == CLEAR


@pytest.mark.parametrize("name", CIPHERS)
def test_opening_takes_what_drivers_hand_out(name: str) -> None:
    cipher = open_cipher(name)
    key = cipher.new_key()
    sealed = cipher.seal(key, CLEAR, PLACE)
    for handed in (sealed, bytearray(sealed), memoryview(sealed)):
        assert cipher.open(key, handed, PLACE) == CLEAR


def test_an_unknown_cipher_is_refused_with_the_known_names() -> None:
    with pytest.raises(ConfigurationError, match="`rot13`; known are aes-gcm, fernet"):
        open_cipher("rot13")


def test_no_two_places_are_bound_to_the_same_bytes() -> None:
    places = [PLACE, *other_places()]
    bound = [encoded(place) for place in places]
    assert len(set(bound)) == len(places)
    assert not any(one != two and one.startswith(two) for one, two in product(bound, bound))


class Mutant(AesGcmCipher):
    """A cipher with one fault: it is bound to less, or to something else, than it should."""

    def __init__(self, bind: Callable[[Context], Context]) -> None:
        self._bind = bind

    def seal(self, key: bytes, clear: bytes, context: Context) -> bytes:
        return super().seal(key, clear, self._bind(context))

    def open(self, key: bytes, sealed: bytes | bytearray | memoryview, context: Context) -> bytes:
        return super().open(key, sealed, self._bind(context))


class RunTogether(Mutant):
    def __init__(self) -> None:
        super().__init__(lambda c: Context("", "", "", c.owner + c.table + c.column + c.row, 0))


class Unsealed(Cipher):
    """Does not seal at all."""

    name = "none"

    def new_key(self) -> bytes:
        return AesGcmCipher().new_key()

    def seal(self, key: bytes, clear: bytes, context: Context) -> bytes:
        return clear

    def open(self, key: bytes, sealed: bytes, context: Context) -> bytes:
        return sealed


class Repeating(AesGcmCipher):
    """Seals the same clear bytes to the same sealed ones."""

    def __init__(self) -> None:
        self._kept: dict[tuple[bytes, bytes, Context], bytes] = {}

    def seal(self, key: bytes, clear: bytes, context: Context) -> bytes:
        sealed = super().seal(key, clear, context)
        return self._kept.setdefault((key, clear, context), sealed)


class Loose(FernetCipher):
    """Keeps Fernet's base64, of which some bits mean nothing."""

    def seal(self, key: bytes, clear: bytes, context: Context) -> bytes:
        return urlsafe_b64encode(super().seal(key, clear, context))

    def open(self, key: bytes, sealed: bytes | bytearray | memoryview, context: Context) -> bytes:
        try:
            return super().open(key, urlsafe_b64decode(sealed), context)
        except binascii.Error as error:
            raise Unreadable from error


ANOTHER_PLACE = "test_another_place_does_not_open"
FAULTS = [
    (Mutant(lambda _: PLACE), ANOTHER_PLACE),
    (Mutant(lambda c: replace(c, owner="")), ANOTHER_PLACE),
    (Mutant(lambda c: replace(c, table="")), ANOTHER_PLACE),
    (Mutant(lambda c: replace(c, column="")), ANOTHER_PLACE),
    (Mutant(lambda c: replace(c, row="")), ANOTHER_PLACE),
    (Mutant(lambda c: replace(c, version=0)), ANOTHER_PLACE),
    (RunTogether(), ANOTHER_PLACE),
    (Unsealed(), "test_sealed_bytes_show_neither_the_clear_ones_nor_the_key"),
    (Repeating(), "test_nothing_is_sealed_to_the_same_bytes_twice"),
    (Loose(), "test_every_altered_bit_is_noticed"),
]


@pytest.mark.parametrize(("mutant", "noticed_by"), FAULTS)
def test_the_suite_notices_a_broken_cipher(mutant: Cipher, noticed_by: str) -> None:
    assert noticed_by in failing(mutant)


def test_the_suite_passes_a_sound_cipher() -> None:
    assert failing(AesGcmCipher()) == set()


def failing(cipher: Cipher) -> set[str]:
    """The names of the suite's tests that `cipher` does not pass."""
    failed = set()
    for name, test in inspect.getmembers(TestAesGcm(), inspect.ismethod):
        if name.startswith("test_"):
            try:
                test(cipher)
            except (AssertionError, Unreadable, pytest.fail.Exception):
                failed.add(name)
    return failed
