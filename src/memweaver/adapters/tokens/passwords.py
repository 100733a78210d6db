"""The `Passwords` port by argon2id."""

from anyio import CapacityLimiter, to_thread
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from memweaver.ports.tokens import Passwords

AT_ONCE = 2
"""Hashes made side by side: each takes 64 MB, so that many tries cannot take it all."""
NOBODYS = PasswordHasher().hash("nobody has this password, whatever is tried")


class Argon2Passwords(Passwords):
    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._limiter = CapacityLimiter(AT_ONCE)

    async def hashed(self, password: str) -> str:
        return await to_thread.run_sync(self._hasher.hash, encoded(password), limiter=self._limiter)

    async def matches(self, password: str, hashed: str | None) -> bool:
        return await to_thread.run_sync(
            self._verified, encoded(password), hashed, limiter=self._limiter
        )

    def _verified(self, password: bytes, hashed: str | None) -> bool:
        try:
            self._hasher.verify(hashed or NOBODYS, password)
        except (VerificationError, InvalidHashError):
            return False
        return hashed is not None


def encoded(password: str) -> bytes:
    """Half a character, which people do paste, is no reason to fail."""
    return password.encode("utf-8", "surrogatepass")
