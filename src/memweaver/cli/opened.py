"""Commands for local use: open what the settings name, do one thing, close it."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from memweaver.app.logging import configure_logging
from memweaver.app.settings import load_settings
from memweaver.errors import ModelError
from memweaver.services import Services

Answer = TypeVar("Answer")

log = logging.getLogger(__name__)


def run(work: Callable[[Services], Awaitable[Answer]]) -> Answer:
    """What `work` answers when given the services."""
    settings = load_settings()
    configure_logging(settings.log.model_copy(update={"level": "warning"}))
    from memweaver.app.wiring import open_services  # noqa: PLC0415 - no `--help` waits for it

    async def opened() -> Answer:
        async with open_services(settings, working=False) as services:
            return await work(services)

    return asyncio.run(opened())


async def settle(services: Services) -> None:
    """Leave nothing waiting for a process that may not come; what is kept is kept anyway."""
    try:
        await services.maintain.settled()
    except ModelError as error:
        log.warning("kept, and will be embedded later: %s", error)
