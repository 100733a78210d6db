"""Fernet, the alternative: its context travels inside the token and is checked after opening."""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memweaver.adapters.crypto.binding import KEY_BYTES, Sealed, encoded, translated, unreadable
from memweaver.ports.cipher import Cipher, Context

SCHEME = b"\x02"
"""First byte of everything this cipher sealed."""


@lru_cache(maxsize=256)
def engine(key: bytes) -> Fernet:
    """The prepared cipher of a key, under a key of its own: AES-GCM may use `key` as it is."""
    derived = HKDF(SHA256(), KEY_BYTES, salt=None, info=b"memweaver fernet").derive(key)
    return Fernet(urlsafe_b64encode(derived))


class FernetCipher(Cipher):
    """Keeps the token's bytes without their base64: a third smaller, and no byte without effect."""

    @property
    def name(self) -> str:
        return "fernet"

    def new_key(self) -> bytes:
        return os.urandom(KEY_BYTES)

    def seal(self, key: bytes, clear: bytes, context: Context) -> bytes:
        token = engine(key).encrypt(encoded(context) + clear)
        return SCHEME + urlsafe_b64decode(token)

    def open(self, key: bytes, sealed: Sealed, context: Context) -> bytes:
        view = memoryview(sealed)
        if view[:1] != SCHEME:
            raise unreadable(context)
        with translated(context):
            opened = engine(key).decrypt(urlsafe_b64encode(view[1:]))
        place = encoded(context)
        if not opened.startswith(place):
            raise unreadable(context)
        return opened[len(place) :]
