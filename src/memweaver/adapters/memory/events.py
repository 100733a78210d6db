"""Events within this process: whoever listens has a queue, and a slow one loses the oldest."""

from asyncio import Event as Signal
from collections import deque
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from memweaver.domain.event import Event
from memweaver.domain.scope import Scope
from memweaver.ports.events import Events

WAITING = 1000
"""Events that wait for one listener; beyond it the oldest are let go."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An event, and how many before it this listener was too slow to hear."""

    event: Event
    lost: int = 0


@dataclass(slots=True, eq=False)
class Listener:
    scope: Scope
    waiting: deque[Event]
    lost: int = 0
    rung: Signal = field(default_factory=Signal)

    def concerns(self, event: Event) -> bool:
        """As for every read: without an AI, a scope sees all of the user's."""
        return event.scope.user == self.scope.user and self.scope.ai in {None, event.scope.ai}

    def tell(self, event: Event) -> None:
        self.lost += len(self.waiting) == self.waiting.maxlen
        self.waiting.append(event)
        self.rung.set()

    async def heard(self) -> AsyncGenerator[Heard]:
        while True:
            await self.rung.wait()
            while self.waiting:
                lost, self.lost = self.lost, 0
                yield Heard(self.waiting.popleft(), lost)
            self.rung.clear()


class LocalEvents(Events):
    def __init__(self, waiting: int = WAITING) -> None:
        self._waiting = waiting
        self._listeners: list[Listener] = []

    async def emit(self, events: Sequence[Event]) -> None:
        for listener in self._listeners:
            for event in events:
                if listener.concerns(event):
                    listener.tell(event)

    @contextmanager
    def subscribe(self, scope: Scope) -> Generator[AsyncGenerator[Heard]]:
        """What happens in `scope` from now until the body ends."""
        listener = Listener(scope, deque(maxlen=self._waiting))
        self._listeners.append(listener)
        try:
            yield listener.heard()
        finally:
            self._listeners.remove(listener)
