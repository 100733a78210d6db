"""`memweaver jobs drain`: wait until every turn has been reflected upon."""

import asyncio
from typing import Annotated

import typer

from memweaver.app.settings import load_settings
from memweaver.cli.opened import run
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
    try:
        done, died = run(helped if working else followed)
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


async def helped(services: Services) -> tuple[int, int]:
    """As `followed`, with a worker beside it; should that fail, it ends with the worker's error."""
    from memweaver.app.worker import work  # noqa: PLC0415 - no `--help` waits for it

    stop = asyncio.Event()
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(work(load_settings(), stop))
            counts = await followed(services)
            stop.set()
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None
    return counts


async def followed(services: Services) -> tuple[int, int]:
    """How many jobs were done, and how many given up, until none was left."""
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
