"""`memweaver jobs drain`: wait until every turn has been reflected upon."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Annotated

import typer

from memweaver.app.logging import configure_logging
from memweaver.app.settings import Settings, load_settings
from memweaver.app.wiring import open_services
from memweaver.app.worker import work
from memweaver.cli.options import JsonOption
from memweaver.cli.output import progress_bar, say, say_json
from memweaver.services import Services

PAUSE = 0.2
"""Seconds between two looks at the queue."""
INTERRUPTED = 130
"""How a command ends that was told to stop from the keyboard."""


def drain_jobs(
    *,
    working: Annotated[
        bool, typer.Option("--work", help="Reflect here too, if no worker runs elsewhere.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Wait until no job waits or runs; ends with 1 if some were given up meanwhile."""
    settings = load_settings()
    configure_logging(settings.log.model_copy(update={"level": "warning"}))
    try:
        done, died = asyncio.run(drained(settings, working=working))
    except KeyboardInterrupt:
        say("stopped; what is not done yet still waits")
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        say_json({"done": done, "dead": died})
    else:
        say(f"nothing waits any more; {done} done, {died} given up" + advice(died))
    raise typer.Exit(1 if died else 0)


def advice(died: int) -> str:
    return " (`memweaver jobs dead` says why)" if died else ""


async def drained(settings: Settings, *, working: bool) -> tuple[int, int]:
    """How many jobs were done, and how many given up, until none was left."""
    async with open_services(settings, working=False) as services:
        if not working:
            return await followed(services)
        async with helped(settings):
            return await followed(services)


@asynccontextmanager
async def helped(settings: Settings) -> AsyncGenerator[None]:
    """A worker beside the body; should it fail, the body ends with its error."""
    stop = asyncio.Event()
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(work(settings, stop))
            yield
            stop.set()
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None


async def followed(services: Services) -> tuple[int, int]:
    depth = await services.jobs.depth()
    dead, most = depth.dead, 0
    with progress_bar() as bar:
        task = bar.add_task("reflecting", total=None)
        while left := depth.waiting + depth.running:
            most = max(most, left)
            bar.update(task, completed=most - left, total=most)
            await asyncio.sleep(PAUSE)
            depth = await services.jobs.depth()
        bar.update(task, completed=most, total=most)
    died = max(depth.dead - dead, 0)
    return most - died, died
