"""`memweaver worker`: reflect on turns, apart from any server."""

import asyncio
import socket
from contextlib import ExitStack, nullcontext
from functools import partial
from importlib.metadata import version
from typing import Annotated

import typer

from memweaver.app.logging import configure_logging
from memweaver.app.serving import GRACE
from memweaver.app.settings import Settings, load_settings
from memweaver.app.watching import watched
from memweaver.app.worker import work
from memweaver.cli.leaving import EndingWhenTold, leaving_when_told
from memweaver.cli.options import JsonOption
from memweaver.cli.output import say, say_json
from memweaver.cli.serve import chosen, listening
from memweaver.cli.welcome import url_of


def worker(
    *,
    host: Annotated[str | None, typer.Option(help="The address to be watched at.")] = None,
    port: Annotated[
        int | None, typer.Option(help="Serve /health and /metrics there; 0 takes a free port.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    settings = chosen(load_settings(), host, port)
    configure_logging(settings.log)
    with leaving_when_told(), ExitStack() as stack:
        listener = None if port is None else stack.enter_context(listening(settings.server))
        welcome(settings, listener, as_json=as_json)
        asyncio.run(work_until_told(settings, listener))


def welcome(settings: Settings, listener: socket.socket | None, *, as_json: bool) -> None:
    facts: dict[str, object] = {
        "version": version("memweaver"),
        "store": settings.store.kind,
        "extractor": settings.extractor.kind,
        "workers": settings.reflector.workers,
        "url": url_of(listener.getsockname()) if listener else None,
    }
    if as_json:
        say_json(facts)
        return
    say(
        f"Memweaver {facts['version']} reflects upon up to {facts['workers']} users at a time "
        f"(store {facts['store']}, extractor {facts['extractor']}); Ctrl-C stops it"
    )
    if listener:
        say(f"  watch it at {facts['url']}/health and {facts['url']}/metrics")


async def work_until_told(settings: Settings, listener: socket.socket | None) -> None:
    """Told once, it ends what it is at or gives it back; told twice, it is gone at once.

    A worker may vanish at any moment: its claims run out and others take over.
    """
    stop = asyncio.Event()

    def told() -> None:
        stop.set()
        say(f"stopping within {GRACE} s; once more ends it at once")

    async with EndingWhenTold(told, GRACE) as ending:
        await work(
            settings, stop, partial(watched, settings, listener) if listener else nullcontext
        )
    if ending.ended:
        say("stopped; others take over what was not finished")
