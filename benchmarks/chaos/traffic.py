"""Turns of many users, each handed in until it is acknowledged, and noted down then."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count

from memweaver.domain.conversation import Message, Role, Said, Turn
from memweaver.domain.scope import Scope
from memweaver.errors import BackendError
from memweaver.services import Services

AGAIN = 0.1
"""Seconds before what was not acknowledged is handed in again."""
WAITING = 60
"""Jobs that may wait before no more is handed in, so that recording goes on to the end."""

Hand = Callable[[Scope, Said, str], Awaitable[Turn]]


@dataclass(slots=True)
class Traffic:
    """`acked` has the ids of the turns that were acknowledged, by user."""

    users: int
    attempted: int = 0
    acked: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    numbers: "count[int]" = field(default_factory=count)

    @property
    def acknowledged(self) -> int:
        return sum(map(len, self.acked.values()))

    def next(self) -> tuple[str, Said, str]:
        """The next turn: whose it is, what is said, and its idempotency key."""
        number = next(self.numbers)
        self.attempted += 1
        user, word = f"user{number % self.users}", f"word{number}"
        return user, Said((Message(Role.USER, word),)), f"key{number}"

    def note(self, user: str, turn_id: str) -> None:
        self.acked[user].append(turn_id)

    async def one(self, services: Services) -> None:
        """Hand in the next turn, however often it takes."""
        user, said, key = self.next()
        while True:
            try:
                turn = await services.record(Scope(user), said, idempotency=key)
            except BackendError:
                await asyncio.sleep(AGAIN)
            else:
                return self.note(user, turn.id)
