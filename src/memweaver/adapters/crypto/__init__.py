"""Sealing by the `cryptography` package, and where master keys come from."""

from memweaver.adapters.crypto.aes_gcm import AesGcmCipher
from memweaver.adapters.crypto.environment_keys import EnvironmentMasterKeys
from memweaver.adapters.crypto.family import CIPHERS, CipherFamily, open_cipher
from memweaver.adapters.crypto.fernet import FernetCipher
from memweaver.adapters.crypto.file_keys import FileMasterKeys

__all__ = [
    "CIPHERS",
    "AesGcmCipher",
    "CipherFamily",
    "EnvironmentMasterKeys",
    "FernetCipher",
    "FileMasterKeys",
    "open_cipher",
]
