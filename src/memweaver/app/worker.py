"""`memweaver worker`: reflect until told to stop, and nothing else."""

import asyncio
import socket

from memweaver.app.settings import Settings
from memweaver.app.watching import watched
from memweaver.app.wiring import open_parts


async def work(
    settings: Settings, stop: asyncio.Event, listener: socket.socket | None = None
) -> None:
    """Open what `settings` name and reflect until `stop` is set; then end what was begun.

    With a `listener` it can be watched there meanwhile.
    """
    async with (
        open_parts(settings) as parts,
        watched(settings, parts.services, listener),
        asyncio.TaskGroup() as tasks,
    ):
        working = tasks.create_task(parts.worker.run())
        maintaining = tasks.create_task(parts.services.maintain.run())
        await stop.wait()
        parts.worker.stop()
        await working
        maintaining.cancel()
