"""Listen: whoever listens hears what happens, in order and once, from where it left off."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from memweaver.domain.event import Cursor, Told
from memweaver.domain.scope import Scope
from memweaver.errors import MemweaverError
from memweaver.ports.clock import Clock
from memweaver.ports.events import EventLog, Events

log = logging.getLogger(__name__)

PAGE = 500
"""Events read at once."""


@dataclass(slots=True, eq=False)
class Hearer:
    """Is told, by `tell`, what happens in `scope` after the number `after`.

    While it is not `ready` it is told nothing, and others are told nevertheless; then all of it.
    """

    scope: Scope
    after: int
    tell: Callable[[Told], Awaitable[None]]
    ready: Callable[[], bool] = lambda: True


@dataclass(frozen=True, slots=True)
class Start:
    """From where somebody hears; `missed` if what came before it may be forgotten already."""

    cursor: Cursor
    missed: bool = False


@dataclass(slots=True)
class Desk:
    """Those who listen to one user."""

    hearers: dict[Hearer, None] = field(default_factory=dict[Hearer, None])
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


@dataclass(slots=True)
class Listen:
    """`poll` is how many seconds what other processes write may go unheard at most."""

    events: EventLog
    bell: Events
    clock: Clock
    keep: timedelta
    poll: float = 1.0
    _desks: dict[str, Desk] = field(default_factory=dict[str, Desk])

    async def start(self, user: str, cursor: Cursor | None = None) -> Start:
        """Where to begin: after `cursor`, or with what happens from now on."""
        now = self.clock.now()
        latest = (await self.events.latest([user])).get(user, 0)
        here = Cursor(latest, now)
        if cursor is None:
            return Start(here)
        if cursor.number > latest:  # of another life of the user, or of another house
            return Start(here, missed=True)
        return Start(cursor, missed=cursor.too_old(now, self.keep))

    async def since(self, scope: Scope, cursor: Cursor | None, limit: int) -> Sequence[Told]:
        """At most `limit` events after `cursor`, or from the first that is kept."""
        return await self.events.since(scope, cursor.number if cursor else 0, limit)

    async def hear(self, hearer: Hearer) -> None:
        """Tell `hearer` what it has not heard yet, and whatever happens until it leaves."""
        desk = self._desks.setdefault(hearer.scope.user, Desk())
        desk.hearers[hearer] = None
        await self._tell(hearer.scope.user)

    def leave(self, hearer: Hearer) -> None:
        user = hearer.scope.user
        desk = self._desks.get(user)
        if desk and hearer in desk.hearers:
            del desk.hearers[hearer]
            if not desk.hearers:
                del self._desks[user]

    async def run(self) -> None:
        """Tell whoever listens, until cancelled. What fails is said, and tried again."""
        with self.bell.listening() as ears:
            loop = asyncio.get_running_loop()
            looked = loop.time()
            while True:
                rung = await ears.heard(self.poll)
                try:
                    if loop.time() - looked >= self.poll:
                        looked = loop.time()
                        await self.look()
                    else:
                        await self._tell_all(rung)
                except MemweaverError as error:
                    log.warning("listeners wait: %s", error.code)

    async def look(self) -> None:
        """Tell whoever listens what any process wrote."""
        heard = {user: min(one.after for one in desk.hearers) for user, desk in self._listened()}
        latest = await self.events.latest(heard) if heard else {}
        await self._tell_all([user for user, last in latest.items() if last > heard[user]])

    async def _tell_all(self, users: Collection[str]) -> None:
        for user in users:
            await self._tell(user)

    async def _tell(self, user: str) -> None:
        """Everything there is, to each who listens to `user` and has not heard it."""
        desk = self._desks.get(user)
        if desk is None:
            return
        async with desk.turn:
            while taking := [one for one in desk.hearers if one.ready()]:
                after = min(one.after for one in taking)
                some = await self.events.since(Scope(user), after, PAGE)
                for told in some:
                    await tell(told, [one for one in taking if one in desk.hearers])
                if len(some) < PAGE:
                    return

    def _listened(self) -> list[tuple[str, Desk]]:
        return list(self._desks.items())


async def tell(told: Told, hearers: Sequence[Hearer]) -> None:
    for hearer in hearers:
        if told.number > hearer.after:
            hearer.after = told.number
            if told.event.concerns(hearer.scope):
                await tell_one(told, hearer)


async def tell_one(told: Told, hearer: Hearer) -> None:
    """What a failing backend keeps from being told is told later. Raises `MemweaverError`."""
    try:
        await hearer.tell(told)
    except MemweaverError:
        hearer.after = told.number - 1
        raise
