"""Refusing: whatever was wrong, it is told after the same time."""

from asyncio import get_running_loop
from concurrent.futures import ThreadPoolExecutor
from time import monotonic, sleep  # noqa: TID251 - no event tells that time has passed

STEP = 0.01
"""Seconds. Every reason to refuse is found in far less, and so each is told after one step."""

WAITING = ThreadPoolExecutor(8, "memweaver-refusing")
"""Threads wake to the tenth of a millisecond; an event loop rounds up to whole ones, from which
could be told how much work there had been. Who comes while all of them wait is refused later."""


async def unhurried(began: float) -> None:
    """Return when a whole number of steps has passed since `began`, which the loop's clock told."""
    loop = get_running_loop()
    steps = (loop.time() - began) // STEP + 1
    until = began + steps * STEP
    await loop.run_in_executor(WAITING, sleep_until, until)


def sleep_until(moment: float) -> None:
    sleep(max(0.0, moment - monotonic()))
