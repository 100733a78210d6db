"""Upkeep: work that should never end is begun again when it does, and that it failed is shown."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from memweaver.background import log_failure
from memweaver.errors import MemweaverError

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 10.0
"""Seconds to wait before it is begun again, doubled up to the longest."""
STEADY = 30.0
"""Seconds after which what was begun again counts as in order."""

Work = Callable[[], Coroutine[Any, Any, None]]


@dataclass(slots=True)
class Upkeep:
    """`troubles` has the code of what ended each work that does not go on steadily yet."""

    troubles: dict[str, str] = field(default_factory=dict[str, str])

    async def __call__(self, name: str, work: Work) -> None:
        """Do `work` to its own end, or until cancelled, however often it fails."""
        pause = FIRST_PAUSE
        while True:
            steady = asyncio.get_running_loop().call_later(STEADY, self.troubles.pop, name, None)
            try:
                error = await failure(work)
            finally:
                steady.cancel()
            if error is None:
                self.troubles.pop(name, None)
                return
            pause = min(2 * pause, LONGEST_PAUSE) if name in self.troubles else FIRST_PAUSE
            known = error if isinstance(error, MemweaverError) else MemweaverError
            self.troubles[name] = known.code
            log.warning("%s ended, and is begun again in %.1f s", name, pause)
            await asyncio.sleep(pause)


async def failure(work: Work) -> BaseException | None:
    """What ended `work`, if it did not end by itself.

    It has a task of its own: one that fails at the moment when it is cancelled may forget that.
    """
    task = asyncio.get_running_loop().create_task(work())
    task.add_done_callback(log_failure)
    try:
        await asyncio.wait([task])
    finally:
        task.cancel()
        await asyncio.wait([task])
    return task.exception()
