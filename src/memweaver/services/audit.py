"""Auditing: what was done about keys, accounts and whole memories can be read later."""

from collections.abc import Sequence
from dataclasses import dataclass

from memweaver.domain.principal import Principal
from memweaver.errors import InvalidInput
from memweaver.ports.audit import Audit, Deed
from memweaver.ports.clock import Clock

MOST = 1000


@dataclass(frozen=True, slots=True)
class Auditing:
    store: Audit
    clock: Clock

    async def note(self, actor: Principal | str, action: str, subject: str) -> None:
        """`actor` did `action` to `subject`: names and ids, never contents."""
        name = actor.user if isinstance(actor, Principal) else actor
        await self.store.note(Deed(self.clock.now(), name, action, subject))

    async def latest(self, limit: int = 100) -> Sequence[Deed]:
        """The latest first. Raises `InvalidInput`."""
        if not 1 <= limit <= MOST:
            raise InvalidInput(f"`limit` must be from 1 to {MOST}")
        return await self.store.deeds(limit)
