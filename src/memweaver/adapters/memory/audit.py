"""The `Audit` port in the process."""

from collections.abc import Sequence

from memweaver.adapters.memory.state import State
from memweaver.ports.audit import Audit, Deed


class InMemoryAudit(Audit):
    def __init__(self, state: State) -> None:
        self._deeds = state.audit

    async def note(self, deed: Deed) -> None:
        self._deeds.append(deed)

    async def deeds(self, limit: int) -> Sequence[Deed]:
        return self._deeds[::-1][:limit]
