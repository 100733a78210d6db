"""The contract of the `Cipher` port, as tests."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

import pytest

from memweaver.errors import Unreadable
from memweaver.ports.cipher import Cipher, Context

CLEAR = b"My sister Giulia moved to Oslo in May."
PLACE = Context(owner="ann", table="turns", column="body", row="t1", version=7)


def other_places() -> Iterator[Context]:
    """Places that differ from `PLACE` in one field, or only in where one field ends."""
    yield replace(PLACE, owner="bob")
    yield replace(PLACE, table="memories")
    yield replace(PLACE, column="vectors")
    yield replace(PLACE, row="t2")
    yield replace(PLACE, version=8)
    yield replace(PLACE, version=-7)
    yield replace(PLACE, owner="annt", table="urns")
    yield replace(PLACE, table="turnsb", column="ody")
    yield replace(PLACE, column="bodyt", row="1")
    yield replace(PLACE, owner="", table="annturns")
    yield replace(PLACE, owner="turns", table="ann")
    yield replace(PLACE, row="t17", version=0)
    yield replace(PLACE, row="t1\x00")
    yield replace(PLACE, owner="anñ")
    yield replace(PLACE, row="\ud800")


def altered_bits(sealed: bytes) -> Iterator[bytes]:
    """`sealed` with each of its bits flipped in turn."""
    for position, bit in product(range(len(sealed)), range(8)):
        altered = bytearray(sealed)
        altered[position] ^= 1 << bit
        yield bytes(altered)


class CipherSuite(ABC):
    """Subclass, and say which cipher."""

    @abstractmethod
    def open_cipher(self) -> Cipher: ...

    @pytest.fixture
    def cipher(self) -> Cipher:
        return self.open_cipher()

    def test_what_was_sealed_opens_again(self, cipher: Cipher) -> None:
        key = cipher.new_key()
        for length in (0, 1, 15, 16, 17, 4096, 1_000_003):
            clear = bytes(range(256)) * (length // 256) + b"x" * (length % 256)
            assert cipher.open(key, cipher.seal(key, clear, PLACE), PLACE) == clear

    def test_sealed_bytes_show_neither_the_clear_ones_nor_the_key(self, cipher: Cipher) -> None:
        key = cipher.new_key()
        sealed = cipher.seal(key, CLEAR, PLACE)
        assert CLEAR[:8] not in sealed
        assert CLEAR[-8:] not in sealed
        assert key[:8] not in sealed

    def test_nothing_is_sealed_to_the_same_bytes_twice(self, cipher: Cipher) -> None:
        key = cipher.new_key()
        assert len({cipher.seal(key, CLEAR, PLACE) for _ in range(2000)}) == 2000

    def test_equal_beginnings_are_not_seen_in_sealed_bytes(self, cipher: Cipher) -> None:
        """A nonce used twice shows where two texts agree."""
        key = cipher.new_key()
        ends = {cipher.seal(key, b"A" * 64, PLACE)[-48:] for _ in range(200)}
        assert len(ends) == 200

    def test_every_new_key_is_another(self, cipher: Cipher) -> None:
        assert len({cipher.new_key() for _ in range(100)}) == 100

    def test_another_key_does_not_open(self, cipher: Cipher) -> None:
        key = cipher.new_key()
        sealed = cipher.seal(key, CLEAR, PLACE)
        for wrong in (cipher.new_key(), key[::-1], key[:16], b""):
            with pytest.raises(Unreadable):
                cipher.open(wrong, sealed, PLACE)

    def test_another_place_does_not_open(self, cipher: Cipher) -> None:
        key = cipher.new_key()
        sealed = cipher.seal(key, CLEAR, PLACE)
        for place in other_places():
            with pytest.raises(Unreadable):
                cipher.open(key, sealed, place)
        assert cipher.open(key, sealed, PLACE) == CLEAR

    def test_every_altered_bit_is_noticed(self, cipher: Cipher) -> None:
        """At several lengths: an encoding may have bits to spare at some of them."""
        key = cipher.new_key()
        for length in (0, 16, 32):
            sealed = cipher.seal(key, CLEAR[:length], PLACE)
            for altered in altered_bits(sealed):
                with pytest.raises(Unreadable):
                    cipher.open(key, altered, PLACE)

    def test_bytes_cut_off_or_added_are_noticed(self, cipher: Cipher) -> None:
        key = cipher.new_key()
        sealed = cipher.seal(key, CLEAR, PLACE)
        for length in range(len(sealed)):
            with pytest.raises(Unreadable):
                cipher.open(key, sealed[:length], PLACE)
        for more in (sealed + b"\x00", sealed[:1] + b"\x00" + sealed[1:], sealed + sealed):
            with pytest.raises(Unreadable):
                cipher.open(key, more, PLACE)

    def test_a_failure_says_which_row_but_nothing_of_its_text(self, cipher: Cipher) -> None:
        key = cipher.new_key()
        sealed = cipher.seal(key, CLEAR, PLACE)
        with pytest.raises(Unreadable, match="t2") as caught:
            cipher.open(key, sealed, replace(PLACE, row="t2"))
        assert "Giulia" not in str(caught.value)

    def test_many_threads_may_share_it(self, cipher: Cipher) -> None:
        key = cipher.new_key()

        def there_and_back(number: int) -> bool:
            place = replace(PLACE, row=str(number))
            clear = CLEAR + str(number).encode()
            return cipher.open(key, cipher.seal(key, clear, place), place) == clear

        with ThreadPoolExecutor(8) as threads:
            assert all(threads.map(there_and_back, range(2000)))
