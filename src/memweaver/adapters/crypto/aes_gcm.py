"""AES-256-GCM: fast, and bound to its context as associated data."""

import os
from functools import lru_cache

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memweaver.adapters.crypto.binding import KEY_BYTES, Sealed, encoded, translated, unreadable
from memweaver.ports.cipher import Cipher, Context

SCHEME = b"\x01"
"""First byte of everything this cipher sealed."""

NONCE_BYTES = 12
"""Random per seal: one key is good for 2**32 seals, far more than one person's memory makes."""

HEADER_BYTES = len(SCHEME) + NONCE_BYTES

engine = lru_cache(maxsize=256)(AESGCM)
"""The prepared cipher of a key: preparing costs more than opening one row. Safe in any thread."""


class AesGcmCipher(Cipher):
    @property
    def name(self) -> str:
        return "aes-gcm"

    def new_key(self) -> bytes:
        return os.urandom(KEY_BYTES)

    def seal(self, key: bytes, clear: bytes, context: Context) -> bytes:
        nonce = os.urandom(NONCE_BYTES)
        body = engine(key).encrypt(nonce, clear, SCHEME + encoded(context))
        return b"".join((SCHEME, nonce, body))

    def open(self, key: bytes, sealed: Sealed, context: Context) -> bytes:
        view = memoryview(sealed)
        if view[:1] != SCHEME:
            raise unreadable(context)
        with translated(context):
            return engine(key).decrypt(
                view[1:HEADER_BYTES], view[HEADER_BYTES:], SCHEME + encoded(context)
            )
