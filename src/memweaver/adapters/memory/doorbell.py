"""The `Doorbell` port in the process, shared by the one who rings and the one who hears."""

import asyncio
from collections.abc import Sequence

from memweaver.domain.job import Job
from memweaver.ports.doorbell import Doorbell


class InMemoryDoorbell(Doorbell):
    """Rung once or a hundred times before somebody listens, it is heard once."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    @property
    def trouble(self) -> str | None:
        return None

    async def ring(self, jobs: Sequence[Job]) -> None:
        if jobs:
            self._rung.set()

    async def heard(self, patience: float) -> bool:
        try:
            async with asyncio.timeout(patience):
                await self._rung.wait()
        except TimeoutError:
            return False
        self._rung.clear()
        return True

    async def toll(self, jobs: Sequence[Job]) -> None:
        """Nobody listens within this process: operators ask the queue which jobs are dead."""
