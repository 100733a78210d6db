"""Sessions: conversations that have a name, and what was said in each."""

from dataclasses import dataclass

from memweaver.domain.conversation import Turn
from memweaver.domain.limits import Limits
from memweaver.domain.scope import Scope, checked_name
from memweaver.ports.clock import Clock
from memweaver.ports.sessions import Session
from memweaver.ports.sessions import Sessions as Kept
from memweaver.ports.store import Page, Store


@dataclass(frozen=True, slots=True)
class Sessions:
    kept: Kept
    store: Store
    clock: Clock
    limits: Limits

    async def create(self, scope: Scope, name: str) -> Session:
        """A new session, which has no turns yet."""
        checked_name("name", name)
        session = Session(scope, self.clock.new_id(), name, self.clock.now())
        await self.kept.add(session)
        return session

    async def session(self, scope: Scope, session_id: str) -> Session:
        """Raises `NotFound`."""
        return await self.kept.session(scope, session_id)

    async def all(
        self, scope: Scope, *, before: int | None = None, limit: int = 50
    ) -> Page[Session]:
        """Latest first, a page at a time."""
        self.limits.check_page(limit, before)
        return await self.kept.sessions(scope, before=before, limit=limit)

    async def rename(self, scope: Scope, session_id: str, name: str) -> Session:
        """Raises `NotFound`."""
        return await self.kept.rename(scope, session_id, checked_name("name", name))

    async def history(
        self, scope: Scope, session_id: str, *, before: int | None = None, limit: int = 50
    ) -> Page[Turn]:
        """What was said in it, latest first, a page at a time. Raises `NotFound`."""
        self.limits.check_page(limit, before)
        session = await self.kept.session(scope, session_id)
        return await self.store.turns(session.scope, session=session.id, before=before, limit=limit)
