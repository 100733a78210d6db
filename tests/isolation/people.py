"""Everybody who knocks: with a credential that holds, that does not, or with none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import jwt
from tests.isolation.objects import PASSWORD

from memweaver.domain.account import Role
from memweaver.domain.principal import ACTING_HEADER, EVERYTHING, PERSONAL, Permission
from memweaver.services import Services
from memweaver.services.access import digest
from memweaver.services.acting import LENDABLE

VICTIM = "victim"
OWN, NEIGHBOUR, STRANGER, GUEST = "ann", "ben", "cat", "desk:dan"
NORTH, SOUTH = "north", "south"


@dataclass(frozen=True)
class Knocking:
    """`user` owns what is "own" to this one; `permissions` are what the credential is good for."""

    name: str
    user: str
    permissions: frozenset[Permission] = frozenset()
    headers: Mapping[str, str] = field(default_factory=dict)
    runs: str | None = None
    """The organisation whose accounts it may see, if any."""
    limited: bool = False
    """To one AI, which has nothing: nothing of the user's own may be shown either."""


async def people(services: Services) -> Sequence[Knocking]:
    """The victim and the neighbour are of the north, the stranger is an admin of the south."""
    for user, organisation, role in (
        (VICTIM, NORTH, Role.MEMBER),
        (OWN, NORTH, Role.MEMBER),
        (NEIGHBOUR, NORTH, Role.ADMIN),
        (STRANGER, SOUTH, Role.ADMIN),
    ):
        await services.accounts.add(
            f"{user}@{organisation}.example",
            f"{user} of the {organisation}",
            PASSWORD,
            user=user,
            organisation=organisation,
            role=role,
        )
    return [
        Knocking("anonymous", OWN),
        Knocking("expired", OWN, headers=bearer(await expired(services))),
        Knocking("revoked", OWN, headers=bearer(await revoked(services))),
        await with_key(services, "read-only", OWN, frozenset({Permission.READ})),
        await with_key(services, "chat-only", OWN, frozenset({Permission.CHAT})),
        replace(
            await with_key(services, "of one AI", OWN, PERSONAL, ai="only-this-one"), limited=True
        ),
        await with_key(services, "own", OWN, PERSONAL),
        await logged_in(services, "own, by token", OWN, NORTH, PERSONAL),
        replace(
            await logged_in(
                services, "admin of the same organisation", NEIGHBOUR, NORTH, EVERYTHING
            ),
            runs=NORTH,
        ),
        replace(
            await with_key(services, "admin-only", NEIGHBOUR, frozenset({Permission.ADMIN})),
            runs=NORTH,
        ),
        replace(await with_key(services, "foreign admin", STRANGER, EVERYTHING), runs=SOUTH),
        await acting(services),
    ]


def bearer(secret: str) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {secret}"}


async def with_key(
    services: Services,
    name: str,
    user: str,
    permissions: frozenset[Permission],
    ai: str | None = None,
) -> Knocking:
    issued = await services.access.create(user, name, permissions=permissions, ai=ai)
    return Knocking(name, user, permissions, {"X-API-Key": issued.secret})


async def expired(services: Services) -> str:
    """A key that held for a moment, long ago."""
    access = services.access
    issued = await access.create(OWN, "expired")
    now = access.clock.now()
    # Only what is kept can make a key older than the clock allows.
    secret = f"{issued.secret}-of-before"
    await access.store.add_key(
        replace(
            issued.key,
            id=access.clock.new_id(),
            digest=digest(secret),
            expires_at=now - timedelta(seconds=1),
        )
    )
    await access.revoke(issued.key.id)
    return secret


async def revoked(services: Services) -> str:
    issued = await services.access.create(OWN, "revoked")
    await services.access.revoke(issued.key.id)
    return issued.secret


async def logged_in(
    services: Services,
    name: str,
    user: str,
    organisation: str,
    permissions: frozenset[Permission],
) -> Knocking:
    entered = await services.accounts.log_in(f"{user}@{organisation}.example", PASSWORD)
    return Knocking(name, user, permissions, bearer(entered.token))


async def acting(services: Services) -> Knocking:
    """A service that speaks for somebody of its own realm, and for nobody else."""
    issued = await services.access.create(STRANGER, "desk", permissions=PERSONAL, realm="desk")
    assert issued.signing
    now = services.access.clock.now()
    claims = {"sub": "dan", "iat": now, "exp": now + timedelta(minutes=5)}
    signed = jwt.encode(claims, issued.signing, algorithm="HS256")
    headers = {**bearer(issued.secret), ACTING_HEADER: signed}
    return Knocking("a service for its end user", GUEST, LENDABLE, headers)
