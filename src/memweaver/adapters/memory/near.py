"""The windows of the sessions last talked in, at hand in this process."""

from collections import OrderedDict

from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.ports.windows import Windows

MOST = 1000
"""Sessions at hand; beyond it the least recently used is let go."""


class NearWindows(Windows):
    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._windows: OrderedDict[tuple[Scope, str], Window] = OrderedDict()

    async def window(self, scope: Scope, session: str) -> Window | None:
        found = self._windows.get((scope, session))
        if found is not None:
            self._windows.move_to_end((scope, session))
        return found

    async def keep(self, scope: Scope, session: str, window: Window) -> None:
        self._windows[scope, session] = window
        self._windows.move_to_end((scope, session))
        if len(self._windows) > self._most:
            self._windows.popitem(last=False)

    async def forget(self, user: str) -> None:
        for key in [key for key in self._windows if key[0].user == user]:
            del self._windows[key]
