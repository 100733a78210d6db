"""The `AccessStore` port in the process."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from memweaver.adapters.memory.state import State
from memweaver.errors import Conflict, NotFound
from memweaver.ports.access import AccessStore, ApiKey


class InMemoryAccess(AccessStore):
    def __init__(self, state: State) -> None:
        self._keys = state.access_keys
        self._revoked = state.revoked_tokens

    async def add_key(self, key: ApiKey) -> None:
        if key.id in self._keys or await self.key_by_digest(key.digest) is not None:
            raise Conflict(f"there is an API key {key.id!r} already, or one with its secret")
        self._keys[key.id] = key

    async def key_by_digest(self, digest: bytes) -> ApiKey | None:
        return next((key for key in self._keys.values() if key.digest == digest), None)

    async def keys(self, user: str | None = None) -> Sequence[ApiKey]:
        theirs = (key for key in self._keys.values() if user in (None, key.user))
        return sorted(theirs, key=lambda key: (key.created_at, key.id))

    async def revoke_key(self, key_id: str, at: datetime) -> bool:
        key = self._keys.get(key_id)
        if key is None:
            raise NotFound(f"there is no API key {key_id!r}")
        if key.revoked_at is not None:
            return False
        self._keys[key_id] = replace(key, revoked_at=at)
        return True

    async def revoke_token(self, token_id: str, expires_at: datetime) -> None:
        self._revoked.setdefault(token_id, expires_at)

    async def token_revoked(self, token_id: str) -> bool:
        return token_id in self._revoked

    async def sweep_tokens(self, *, before: datetime) -> int:
        expired = [one for one, until in self._revoked.items() if until <= before]
        for one in expired:
            del self._revoked[one]
        return len(expired)
