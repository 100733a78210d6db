"""`memweaver serve`: the server, and what its first start has to say."""

import asyncio
import gc
import socket
import sys
from contextlib import nullcontext
from typing import Annotated

import typer

from memweaver.app.house_sections import ServerSettings
from memweaver.app.logging import configure_logging
from memweaver.app.server import build_server
from memweaver.app.serving import Server, config_of
from memweaver.app.settings import Settings, load_settings, refuse_unsafe
from memweaver.app.wiring import open_services
from memweaver.cli.accounts import asked_password
from memweaver.cli.leaving import EndingWhenTold, leaving_when_told
from memweaver.cli.options import OWNER, JsonOption
from memweaver.cli.welcome import Welcome
from memweaver.domain.principal import EVERYTHING
from memweaver.errors import ConfigurationError
from memweaver.services import Services

TURN = 0.001
"""Seconds after which a thread gives the interpreter to one that waits, which is mostly the event
loop: five times as often as usual, as it has answers to give."""


def serve(
    *,
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port; 0 takes a free one.")] = None,
    as_json: JsonOption = False,
) -> None:
    settings = chosen(load_settings(), host, port)
    configure_logging(settings.log)
    with listening(settings.server) as listener, leaving_when_told():
        asyncio.run(serve_on(listener, settings, as_json=as_json))


def chosen(settings: Settings, host: str | None, port: int | None) -> Settings:
    """`settings`, where the command line has the last word. Raises `ConfigurationError`."""
    given = {"host": host, "port": port}
    server = settings.server.model_copy(
        update={name: value for name, value in given.items() if value is not None}
    )
    settings = settings.model_copy(update={"server": server})
    refuse_unsafe(settings)
    return settings


def listening(server: ServerSettings) -> socket.socket:
    """Taken before anything is opened: no key is made that nobody would see."""
    family = socket.AF_INET6 if ":" in server.host else socket.AF_INET
    try:
        listener = socket.create_server((server.host, server.port), family=family)
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {server.host}:{server.port} ({error.strerror}); "
            "choose another place with --host and --port"
        ) from error
    # For asyncio it is no TCP socket, so it would leave this off: 40 ms more for every answer.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


async def serve_on(listener: socket.socket, settings: Settings, *, as_json: bool) -> None:
    async with EndingWhenTold() as ending, open_services(settings) as services:
        if not as_json and sys.stdin.isatty() and sys.stdout.isatty():
            await offer_admin(services, settings, ending)
        accounts = bool(await services.accounts.all())
        with ending.undivided():  # a key is shown once, or never
            secret = await first_key(services)
            welcome = Welcome(settings, listener.getsockname(), secret, accounts)
            welcome.show(as_json=as_json)
        application = build_server(settings, nullcontext(services))
        leave, drain = services.health.leaving.begin, settings.server.drain
        server = Server(config_of(application, settings.server), leave, drain)
        keep_for_good()
        sys.setswitchinterval(TURN)
        await server.serve(sockets=[listener])


async def offer_admin(services: Services, settings: Settings, ending: EndingWhenTold) -> None:
    """Ask whoever sits there for the first admin, if there is none and none is named.

    Nothing is served yet, so that nobody else waits for the answer.
    """
    if settings.access.admin_email or await services.accounts.all():
        return
    with ending.asking():
        admin = asked_admin()
    if admin:
        await services.accounts.add_admin(*admin)


def asked_admin() -> tuple[str, str, str] | None:
    """E-mail address, name and password, if there shall be one."""
    email = typer.prompt("E-mail address of the first admin (or nothing)", "", show_default=False)
    return (email, typer.prompt("Name", email), asked_password()) if email else None


def keep_for_good() -> None:
    """Take what is in memory by now out of every collection of garbage to come.

    It stays as long as the server does, and to look through it holds up every request meanwhile.
    """
    gc.collect()
    gc.freeze()


async def first_key(services: Services) -> str | None:
    """The secret of the owner's first key, if there has never been a key."""
    if await services.access.keys():
        return None
    issued = await services.access.create(OWNER, "made at first start", permissions=EVERYTHING)
    return issued.secret
