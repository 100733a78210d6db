"""Master keys given as text, as from the environment or a secret store."""

import binascii
from base64 import b64decode

from memweaver.adapters.crypto.binding import KEY_BYTES
from memweaver.errors import ConfigurationError, Unreadable, Unsupported
from memweaver.ports.keys import KeyCapability, MasterKey, MasterKeys

FORM = "`BASE64`, or `2:BASE64,1:BASE64` with several versions, each of 32 random bytes"
LEAST = 8
"""Different bytes in a key: of random ones not one in 10**30 has fewer."""
ROTATE_BY_HAND = "master keys from the environment are changed there: put `2:NEW,1:OLD` and restart"


class EnvironmentMasterKeys(MasterKeys):
    """Reads `2:BASE64,1:BASE64`, or one key alone as version 1. The highest version is current.

    Raises `ConfigurationError`, also if anybody could guess the current one. Earlier ones are
    taken as they are: without them nobody could leave a bad key.
    """

    def __init__(self, text: str) -> None:
        self._keys = parsed(text)
        refuse_guessable(self.current())

    @property
    def capabilities(self) -> frozenset[KeyCapability]:
        return frozenset()

    def current(self) -> MasterKey:
        return self._keys[max(self._keys)]

    def version(self, number: int) -> MasterKey:
        if number not in self._keys:
            raise Unreadable(f"master key version {number} is needed but not given")
        return self._keys[number]

    def add(self) -> MasterKey:
        raise Unsupported(ROTATE_BY_HAND)

    def retire(self, below: int) -> None:
        raise Unsupported(ROTATE_BY_HAND)


def parsed(text: str) -> dict[int, MasterKey]:
    """The keys that `text` holds. Raises `ConfigurationError`, which never quotes `text`."""
    keys: dict[int, MasterKey] = {}
    for part in text.split(","):
        number, colon, secret = part.strip().rpartition(":")
        version = version_from_text(number if colon else "1")
        if version in keys:
            raise ConfigurationError(f"the master key has version {version} twice")
        keys[version] = MasterKey(version, secret_from_text(secret))
    return keys


def refuse_guessable(key: MasterKey) -> None:
    if len(set(key.secret)) < LEAST:
        raise ConfigurationError(
            f"version {key.version} of the master key can be guessed: make one by "
            "`head -c 32 /dev/urandom | base64`; if anything is sealed already, put it before "
            f"the old one, as `{key.version + 1}:NEW,{key.version}:OLD`"
        )


def version_from_text(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise ConfigurationError(f"a version of the master key is no positive number; give {FORM}")
    return int(text)


def secret_from_text(text: str) -> bytes:
    """32 bytes from base64, in its usual or its URL-safe alphabet."""
    try:
        secret = b64decode(text.translate({45: "+", 95: "/"}), validate=True)
    except (binascii.Error, ValueError):
        # The cause would carry the text, so it is left behind.
        raise ConfigurationError(f"the master key is not base64; give {FORM}") from None
    if len(secret) != KEY_BYTES:
        raise ConfigurationError(f"the master key has {len(secret)} bytes; give {FORM}")
    return secret
