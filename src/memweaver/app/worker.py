"""`memweaver worker`: reflect until told to stop, and nothing else."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext

from memweaver.app.settings import Settings
from memweaver.app.wiring import open_parts
from memweaver.services import Services


async def work(
    settings: Settings,
    stop: asyncio.Event,
    watched: Callable[[Services], AbstractAsyncContextManager[object]] = nullcontext,
) -> None:
    """Open what `settings` name and reflect until `stop` is set; then end what was begun.

    Meanwhile it is `watched`.
    """
    async with (
        open_parts(settings) as parts,
        watched(parts.services),
        asyncio.TaskGroup() as tasks,
    ):
        working = tasks.create_task(parts.worker.run())
        maintaining = tasks.create_task(parts.services.maintain.run())
        await stop.wait()
        parts.worker.stop()
        await working
        maintaining.cancel()
