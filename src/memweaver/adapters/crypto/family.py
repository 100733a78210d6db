"""The ciphers one database may hold side by side: one seals, each opens its own."""

from typing import Final

from memweaver.adapters.crypto import aes_gcm, fernet
from memweaver.adapters.crypto.aes_gcm import AesGcmCipher
from memweaver.adapters.crypto.binding import Sealed, unreadable
from memweaver.adapters.crypto.fernet import FernetCipher
from memweaver.errors import ConfigurationError
from memweaver.ports.cipher import Cipher, Context

AES_GCM: Final = AesGcmCipher()
FERNET: Final = FernetCipher()

CIPHERS: Final[dict[str, Cipher]] = {cipher.name: cipher for cipher in (AES_GCM, FERNET)}
"""Every cipher by the name that settings give it."""


class CipherFamily(Cipher):
    """Seals with the chosen cipher; opens by the first byte, whichever cipher sealed."""

    def __init__(self, chosen: Cipher) -> None:
        self._chosen = chosen

    @property
    def name(self) -> str:
        return self._chosen.name

    def new_key(self) -> bytes:
        return self._chosen.new_key()

    def seal(self, key: bytes, clear: bytes, context: Context) -> bytes:
        return self._chosen.seal(key, clear, context)

    def open(self, key: bytes, sealed: Sealed, context: Context) -> bytes:
        match bytes(sealed[:1]):
            case aes_gcm.SCHEME:
                return AES_GCM.open(key, sealed, context)
            case fernet.SCHEME:
                return FERNET.open(key, sealed, context)
            case _:
                raise unreadable(context)


def open_cipher(name: str) -> CipherFamily:
    """The cipher that seals as `name` says and opens whatever any of them sealed."""
    if name not in CIPHERS:
        raise ConfigurationError(f"unknown cipher `{name}`; known are {', '.join(CIPHERS)}")
    return CipherFamily(CIPHERS[name])
