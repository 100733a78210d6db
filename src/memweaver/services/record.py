"""Record: keep what was heard and said, durably, before anything else happens to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from memweaver.domain.conversation import Said, Turn
from memweaver.domain.limits import Limits
from memweaver.domain.scope import Scope, checked_name
from memweaver.ports.clock import Clock
from memweaver.ports.store import Store
from memweaver.services.maintain import Maintain


@dataclass(frozen=True, slots=True)
class Record:
    store: Store
    maintain: Maintain
    clock: Clock
    limits: Limits

    async def __call__(self, scope: Scope, said: Said, *, idempotency: str | None = None) -> Turn:
        """Keep one turn. With the same `idempotency` key it is kept once, however often tried."""
        [turn] = await self._keep([self._turn(scope, said, idempotency)])
        return turn

    async def many(self, scope: Scope, said: Sequence[Said]) -> Sequence[Turn]:
        """Keep several turns, all or none."""
        return await self._keep([self._turn(scope, one, None) for one in said])

    async def _keep(self, turns: Sequence[Turn]) -> Sequence[Turn]:
        kept = await self.store.record(turns)
        self.maintain.wake()
        return kept

    def _turn(self, scope: Scope, said: Said, idempotency: str | None) -> Turn:
        self.limits.check_said(said)
        now = self.clock.now()
        return Turn(
            id=record_id(scope, idempotency) if idempotency else self.clock.new_id(),
            scope=scope,
            session=said.session,
            at=said.at or now,
            recorded_at=now,
            messages=said.messages,
            metadata=said.metadata,
        )


def record_id(scope: Scope, idempotency: str) -> str:
    """The one id that a user's idempotency key stands for.

    Once what it names is erased, the key is as good as new: that it was there is forgotten too.
    """
    checked_name("idempotency", idempotency)
    return str(uuid5(NAMESPACE_URL, f"memweaver:{scope.user}\n{scope.ai or ''}\n{idempotency}"))
