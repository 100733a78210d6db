"""The `SecretStore` port in the process."""

import os
from collections.abc import Sequence
from datetime import datetime

from memweaver.adapters.memory.state import State
from memweaver.domain.scope import HOUSE
from memweaver.ports.secrets import Secret, SecretStore


class InMemorySecrets(SecretStore):
    def __init__(self, state: State) -> None:
        self._state = state
        self._secrets = state.secrets

    async def versions(self, name: str) -> Sequence[Secret]:
        return self._secrets.get(name, [])[::-1]

    async def first(self, name: str, at: datetime) -> Sequence[Secret]:
        if not self._secrets.get(name):
            await self.renew(name, at)
        return await self.versions(name)

    async def renew(self, name: str, at: datetime) -> Secret:
        self._state.begun(HOUSE)
        kept = self._secrets.setdefault(name, [])
        secret = Secret(name, kept[-1].version + 1 if kept else 1, at, os.urandom(32))
        kept.append(secret)
        return secret

    async def retire(self, name: str, below: int) -> None:
        kept = self._secrets.get(name, [])
        kept[:] = [secret for secret in kept if secret.version >= below]
