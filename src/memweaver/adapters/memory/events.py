"""Within this process: the log of what happened, and the bell for those who listen."""

from asyncio import Event as Signal
from asyncio import timeout
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime

from memweaver.adapters.memory.state import State
from memweaver.domain.event import Event, Told
from memweaver.domain.scope import Scope
from memweaver.ports.events import Ears, EventLog, Events


class InMemoryEventLog(EventLog):
    def __init__(self, state: State) -> None:
        self._state = state

    async def append(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.scope.user in self._state.users:
                self._state.tell(event)

    async def since(self, scope: Scope, after: int, limit: int) -> Sequence[Told]:
        user = self._state.users.get(scope.user)
        every = user.told if user else []
        return [one for one in every if one.number > after and one.event.concerns(scope)][:limit]

    async def latest(self, users: Collection[str]) -> Mapping[str, int]:
        there = {name: self._state.users[name] for name in users if name in self._state.users}
        return {name: user.told[-1].number for name, user in there.items() if user.told}

    async def trim(self, before: datetime) -> int:
        trimmed = 0
        for user in self._state.users.values():
            kept = [one for one in user.told if one.event.at >= before]
            trimmed += len(user.told) - len(kept)
            user.told = kept
        return trimmed


class LocalEars(Ears):
    def __init__(self) -> None:
        self._users: set[str] = set()
        self._rung = Signal()

    def tell(self, user: str) -> None:
        self._users.add(user)
        self._rung.set()

    async def heard(self, patience: float) -> frozenset[str]:
        with suppress(TimeoutError):
            async with timeout(patience):
                await self._rung.wait()
        self._rung.clear()
        users, self._users = frozenset(self._users), set()
        return users


class LocalEvents(Events):
    def __init__(self) -> None:
        self._listeners: list[LocalEars] = []

    async def ring(self, user: str) -> None:
        for ears in self._listeners:
            ears.tell(user)

    @contextmanager
    def listening(self) -> Generator[LocalEars]:
        ears = LocalEars()
        self._listeners.append(ears)
        try:
            yield ears
        finally:
            self._listeners.remove(ears)
