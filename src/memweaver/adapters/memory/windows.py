"""The `Windows` port in the process."""

from memweaver.adapters.memory.state import State
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.ports.windows import Windows


class InMemoryWindows(Windows):
    def __init__(self, state: State) -> None:
        self._state = state

    async def window(self, scope: Scope, session: str) -> Window | None:
        user = self._state.users.get(scope.user)
        return user.windows.get((scope.ai, session)) if user else None

    async def keep(self, scope: Scope, session: str, window: Window) -> None:
        """Unless a turn of it is gone: somebody erased it since the window was made."""
        user = self._state.users.get(scope.user)
        ids = {turn.id for turn in window.turns} | ({window.upto} if window.upto else set())
        if user and ids <= user.turns.keys():
            user.windows[scope.ai, session] = window

    async def forget(self, user: str) -> None:
        if user in self._state.users:
            self._state.users[user].windows.clear()
