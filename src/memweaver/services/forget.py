"""Forget: erase a whole session, a whole AI or everything, however much that is.

What names it goes last: so whoever was cut off can ask again, and it goes on.
"""

from contextlib import suppress
from dataclasses import dataclass

from memweaver.domain.scope import Scope, checked_name
from memweaver.errors import NotFound
from memweaver.ports.access import AccessStore
from memweaver.ports.clock import Clock
from memweaver.ports.events import Events
from memweaver.ports.index import Index
from memweaver.ports.registry import AiRegistry
from memweaver.ports.sessions import Sessions
from memweaver.ports.store import Store
from memweaver.ports.webhooks import WebhookStore
from memweaver.services.audit import Auditing
from memweaver.services.keys import Keys
from memweaver.services.maintain import Maintain
from memweaver.services.working import Working

SOME = 100
"""Records erased in one transaction: others write in between."""


@dataclass(frozen=True, slots=True)
class Forget:
    store: Store
    sessions: Sessions
    registry: AiRegistry
    access: AccessStore
    audit: Auditing
    webhooks: WebhookStore
    index: Index
    working: Working
    maintain: Maintain
    keys: Keys
    events: Events
    clock: Clock

    async def session(self, scope: Scope, session_id: str) -> None:
        """Erase a session with its turns, their jobs, vectors and windows. Raises `NotFound`.

        Memories drawn from its turns stay, and name them.
        """
        session = await self.sessions.session(scope, session_id)
        await self._records(session.scope, session.id)
        await self.sessions.erase(scope, session_id)

    async def ai(self, user: str, ai_id: str) -> None:
        """Erase an AI with its turns, memories, sessions and webhooks, and end the keys for it.

        Raises `NotFound`.
        """
        ai = await self.registry.ai(user, ai_id)
        scope = Scope(user, ai.id)
        for key in await self.access.keys(user):
            # First: nobody writes by it meanwhile.
            if key.ai == ai.id and await self.access.revoke_key(key.id, self.clock.now()):
                await self.audit.note(user, "key revoked", key.id)
        for webhook in await self.webhooks.webhooks(user):
            if webhook.scope == scope:
                with suppress(NotFound):  # its owner has removed it meanwhile
                    await self.webhooks.remove(user, webhook.id)
        await self._records(scope, None)
        while (page := await self.sessions.sessions(scope, before=None, limit=SOME)).items:
            for session in page.items:
                await self.sessions.erase(scope, session.id)
        await self.registry.erase(user, ai.id)

    async def everything(self, user: str) -> None:
        """Erase all that is remembered of `user`, AIs and sessions included.

        The account and its keys stay: whoever has them may begin anew.
        """
        await self.keys.destroy(checked_name("user", user))

    async def _records(self, scope: Scope, session: str | None) -> None:
        now = self.clock.now()
        while await self.store.erase_some(scope, session=session, limit=SOME, at=now):
            await self.index.erased(scope.user)
            await self.events.ring(scope.user)
        await self.working.forget(scope.user)
        self.maintain.wake()
