"""The `Vault` port in the process, where nothing is sealed: who is there has a key."""

from collections.abc import AsyncIterator

from memweaver.adapters.memory.state import State
from memweaver.domain.scope import HOUSE, checked_user
from memweaver.errors import NotFound
from memweaver.ports.keys import Rotation, Vault


class InMemoryVault(Vault):
    def __init__(self, state: State) -> None:
        self._state = state

    async def rewrap(self) -> AsyncIterator[Rotation]:
        everybody = len(self._state.users)
        yield Rotation(everybody, everybody)

    async def reseal(self, user: str) -> AsyncIterator[Rotation]:
        found = self._state.users.get(user)
        if found is None:
            raise NotFound(f"there is no user {user!r}")
        rows = len(found.turns) + len(found.revisions()) + len(found.ais)
        yield Rotation(rows, rows)

    async def users(self) -> list[str]:
        return sorted(self._state.users.keys() - {HOUSE})

    async def destroy(self, user: str) -> None:
        checked_user(user)
        self._state.users.pop(user, None)
