"""A connection that is made again whenever it is lost."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from psycopg import AsyncConnection, Error

from memweaver.errors import BackendUnavailable

PATIENCE = 5.0
"""Seconds for the server to answer."""
SHORTEST, LONGEST = 0.2, 5.0
"""Seconds before calling the server again, doubled each time."""
LOST = (Error, OSError, TimeoutError)

log = logging.getLogger(__name__)

Work = Callable[[AsyncConnection[Any], Callable[[], None]], Awaitable[None]]
"""What is done with a connection until it is lost; it calls back once all is well."""


class Line:
    """Does `work` with a connection, and again with the next one; says when there is none."""

    def __init__(self, address: Mapping[str, Any], work: Work, lost: Callable[[], None]) -> None:
        self._address = address
        self._work = work
        self._lost = lost
        self.trouble: str | None = None

    async def run(self) -> None:
        """Keep the connection, whatever happens to it, until cancelled."""
        try:
            await self._keep()
        finally:
            self.trouble = BackendUnavailable.code

    async def _keep(self) -> None:
        pause = SHORTEST
        while True:
            try:
                async with await AsyncConnection.connect(**self._address) as connection:
                    await self._work(connection, self._well)
            except LOST as error:
                pause = SHORTEST if self.trouble is None else min(2 * pause, LONGEST)
                self._fail(error)
            await asyncio.sleep(pause)

    def _well(self) -> None:
        if self.trouble:
            log.info("the doorbell is in order again", extra={"action": "doorbell_found"})
        self.trouble = None

    def _fail(self, error: Exception) -> None:
        if self.trouble is None:
            log.warning(
                "the doorbell is out of order, workers look by themselves: "
                "Postgres cannot be reached (%s)",
                type(error).__name__,
                extra={"action": "doorbell_lost", "code": BackendUnavailable.code},
            )
        self.trouble = BackendUnavailable.code
        self._lost()
