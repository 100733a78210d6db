"""Working memory: the recent turns of a session within a budget, the rest of it in short.

Nothing of it is the only copy: turns are in the store, and a summary can be made again.
"""

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from memweaver.domain.context import tokens
from memweaver.domain.conversation import Turn
from memweaver.domain.scope import Scope, checked_name
from memweaver.domain.working import Window
from memweaver.errors import BackendError, MemweaverError
from memweaver.ports.changes import Changes
from memweaver.ports.extract import Summariser
from memweaver.ports.store import Store
from memweaver.ports.windows import Windows

log = logging.getLogger(__name__)

LATEST = 100
"""Turns of a session that are looked at; a budget holds far fewer."""
MOST = 5000
"""Turns that are summed up at once, should so many be waiting."""


@dataclass(frozen=True, slots=True)
class Working:
    """`kept` has the summaries, durably; `near` the whole windows, for speed, and may forget."""

    store: Store
    changes: Changes
    kept: Windows
    near: Windows
    summariser: Summariser
    budget: int = 2000
    summary: int = 500

    async def __call__(self, scope: Scope, session: str) -> Window:
        """What was last said in a session, and what before that in short."""
        checked_name("session", session)
        seen = await self._seen(scope)
        window = await self._near(scope, session)
        if window is not None and window.seen == seen:
            return window
        return await self._made(scope, session, seen)

    async def fold(self, scope: Scope, sessions: Collection[str]) -> None:
        """Bring the summaries up to date with what no longer fits. Never fails its caller."""
        for session in sorted(sessions):
            try:
                await self._fold(scope, session)
            except MemweaverError as error:
                log.warning("a summary waits for the next turn: %s", error.code)

    async def forget(self, user: str) -> None:
        """Something of `user` was erased, or all: no trace of it stays in a window."""
        await self.kept.forget(user)
        try:
            await self.near.forget(user)
        except BackendError as error:
            log.warning("windows of an erased user run out by themselves: %s", error.code)

    async def _fold(self, scope: Scope, session: str) -> None:
        """Once they are over the budget, all turns but the latest half of it are summed up."""
        before = await self._kept(scope, session)
        turns = await self._since(scope, session, before.upto)
        if length(turns) <= self.budget:
            return
        older = turns[: len(turns) - len(fitting(turns, self.budget // 2))]
        if not older:  # a single one, which is long
            return
        summary = await self.summariser.summary(before.summary, older, self.summary)
        await self.kept.keep(scope, session, Window(summary=summary, upto=older[-1].id))
        there = {turn.id for turn in await self._since(scope, session, before.upto)}
        if not there.issuperset(turn.id for turn in older):  # erased while it was summed up
            await self.forget(scope.user)
        await self._made(scope, session, await self._seen(scope))

    async def _made(self, scope: Scope, session: str, seen: str | None) -> Window:
        """The window from what is kept, at hand from now on."""
        before = await self._kept(scope, session)
        turns = after(before.upto, await self._latest(scope, session))
        made = replace(before, turns=tuple(fitting(turns, self.budget)), seen=seen)
        try:
            await self.near.keep(scope, session, made)
        except BackendError as error:
            log.warning("working memory is not at hand: %s", error.code)
        return made

    async def _latest(self, scope: Scope, session: str) -> Sequence[Turn]:
        page = await self.store.turns(scope, session=session, before=None, limit=LATEST)
        return page.items[::-1]

    async def _since(self, scope: Scope, session: str, upto: str | None) -> Sequence[Turn]:
        """All turns after `upto`, oldest first; of a very long session the latest."""
        found: list[Turn] = []
        position: int | None = None
        reached = False
        while not reached:
            page = await self.store.turns(scope, session=session, before=position, limit=LATEST)
            found += page.items
            position = page.next
            ids = {turn.id for turn in page.items}
            reached = position is None or upto in ids or len(found) >= MOST
        return after(upto, found[::-1])

    async def _kept(self, scope: Scope, session: str) -> Window:
        return await self.kept.window(scope, session) or Window()

    async def _near(self, scope: Scope, session: str) -> Window | None:
        try:
            return await self.near.window(scope, session)
        except BackendError as error:
            log.warning("working memory is read from the store: %s", error.code)
            return None

    async def _seen(self, scope: Scope) -> str | None:
        stamp = await self.changes.stamp(scope.user)
        return None if stamp is None else f"{stamp.epoch}:{stamp.version}"


def after(upto: str | None, turns: Sequence[Turn]) -> Sequence[Turn]:
    """Those of `turns`, oldest first, that come after the one named `upto`."""
    ids = [turn.id for turn in turns]
    return turns[ids.index(upto) + 1 :] if upto in ids else turns


def fitting(turns: Sequence[Turn], budget: int) -> Sequence[Turn]:
    """As many of the latest as fit; the very latest always."""
    start = len(turns)
    left = budget
    while start and (left := left - length(turns[start - 1 : start])) >= 0:
        start -= 1
    return turns[min(start, max(len(turns) - 1, 0)) :]


def length(turns: Sequence[Turn]) -> int:
    return sum(tokens(message.spoken) for turn in turns for message in turn.messages)
