"""Counts with others where that can be, and alone where it cannot: nobody waits for a counter."""

import logging
from datetime import datetime, timedelta

from memweaver.errors import BackendError
from memweaver.ports.counter import Counted, Counter

AWAY = timedelta(seconds=30)
"""For how long a counter that failed is not asked again."""

log = logging.getLogger(__name__)


class NearestCounter(Counter):
    def __init__(self, shared: Counter, own: Counter) -> None:
        self._shared = shared
        self._own = own
        self._away_until: datetime | None = None

    async def add(self, name: str, amount: int, window: timedelta, now: datetime) -> Counted:
        if self._away_until is None or now >= self._away_until:
            try:
                counted = await self._shared.add(name, amount, window, now)
            except BackendError as error:
                self._away_until = now + AWAY
                log.warning(
                    "rates are counted by this server alone for now",
                    extra={"action": "counter_away", "code": error.code},
                )
            else:
                self._away_until = None
                return counted
        return await self._own.add(name, amount, window, now)
