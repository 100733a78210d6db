"""Each measure in a process of its own, so that none finds what another left in memory."""

import asyncio
import multiprocessing
from collections.abc import Callable, Coroutine
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Found = TypeVar("Found")


def isolated(work: Callable[[], Coroutine[None, None, Found]]) -> Found:
    """What `work` finds in a new process."""
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=fresh) as pool:
        return pool.submit(here, work).result()


def here(work: Callable[[], Coroutine[None, None, Found]]) -> Found:
    """What `work` finds in this process."""
    return asyncio.run(work())
