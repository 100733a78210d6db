"""The one door: a credential becomes a principal. Every way in over HTTP goes through here."""

from asyncio import sleep
from collections.abc import AsyncGenerator, Awaitable, Callable
from random import random
from typing import Annotated

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from memweaver.domain.principal import ACTING_HEADER, HOME, Permission, Principal
from memweaver.errors import Forbidden, RateLimited, Unauthenticated
from memweaver.services import Services
from memweaver.services.access import NEEDED, unlimited

BEARER = HTTPBearer(
    auto_error=False,
    description="An API key, as `memweaver serve` shows it, or a token from `/login`",
)
HELD = 1.0
"""Seconds after which a request too many is refused, up to twice as many. Who asks again at once
would else keep the server so busy with refusing that others wait, and many who were refused
together would come together again; to hold a connection costs nothing."""
HEADER = APIKeyHeader(name="X-API-Key", auto_error=False, description="The same API key")


async def services_of(request: Request) -> Services:
    services = request.state.services
    assert isinstance(services, Services)  # noqa: S101 - put there by the one lifespan
    return services


Memweaver = Annotated[Services, Depends(services_of)]


async def presented(
    bearer: Annotated[HTTPAuthorizationCredentials | None, Security(BEARER)],
    header: Annotated[str | None, Security(HEADER)],
) -> str:
    """The key or token that a request carries, by whichever header."""
    secret = bearer.credentials if bearer else header
    if not secret:
        raise Unauthenticated(NEEDED)
    return secret


Presented = Annotated[str, Depends(presented)]


async def authenticated(request: Request, services: Memweaver, secret: Presented) -> Principal:
    """Who asks. Whose memory it is comes from here and from nowhere else."""
    # Several at once are one that nobody signed.
    acting = ",".join(request.headers.getlist(ACTING_HEADER)) or None
    caller = await services.access.principal(secret, acting)
    try:
        await services.rates.request(caller.user)
    except RateLimited:
        await sleep(HELD * (1 + random()))  # noqa: S311 - nobody guesses it for anything
        raise
    services.turnstile.seen(caller.user)
    return caller


async def placed(
    services: Memweaver, caller: Annotated[Principal, Depends(authenticated)]
) -> AsyncGenerator[Principal]:
    """Lets in some of a user's at once; one request takes one place, whatever it asks for."""
    async with services.turnstile.passed(caller.user):
        yield caller


def in_turn(permission: Permission) -> Callable[[Principal], Awaitable[Principal]]:
    """Lets in whoever has `permission`, when it is their turn."""

    async def enter(caller: Annotated[Principal, Depends(placed)]) -> Principal:
        caller.must(permission)
        return caller

    return enter


def permitted(permission: Permission) -> Callable[[Principal], Awaitable[Principal]]:
    """Lets in whoever has `permission` at once, as those who will wait for a model elsewhere."""

    async def enter(caller: Annotated[Principal, Depends(authenticated)]) -> Principal:
        caller.must(permission)
        return caller

    return enter


Caller = Annotated[Principal, Depends(authenticated)]
"""Anybody with a valid credential, whatever it may do: for what is nobody's in particular."""
Reader = Annotated[Principal, Depends(in_turn(Permission.READ))]
Writer = Annotated[Principal, Depends(in_turn(Permission.WRITE))]
Chatter = Annotated[Principal, Depends(permitted(Permission.CHAT))]
KeyHolder = Annotated[Principal, Depends(permitted(Permission.KEYS))]
Admin = Annotated[Principal, Depends(permitted(Permission.ADMIN))]


async def as_if_logged_in(caller: Admin) -> Principal:
    """Lets in an admin, but by no key that is good for less than their login."""
    return unlimited(caller)


Registrar = Annotated[Principal, Depends(as_if_logged_in)]


async def at_home(caller: Admin) -> Principal:
    """Lets in whoever runs the house itself, not only an organisation in it."""
    if caller.organisation != HOME:
        raise Forbidden("this is for admins of the house itself")
    return caller


Operator = Annotated[Principal, Depends(at_home)]
