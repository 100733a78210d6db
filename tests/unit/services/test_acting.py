"""Acting: a service speaks for its end users, each time signed."""

from datetime import timedelta
from typing import Any

import jwt
import pytest
from tests.unit.services.house import NEW_YEAR, House, a_house

from memweaver.domain.principal import EVERYTHING, PERSONAL, Permission
from memweaver.errors import Forbidden, InvalidInput, Unauthenticated
from memweaver.services.access import Issued

LENT = frozenset({Permission.READ, Permission.WRITE, Permission.CHAT})


async def a_service(house: House, **options: Any) -> Issued:
    return await house.services.access.create("owner", "chat", realm="webui", **options)


def signed(secret: str | None, /, **claims: object) -> str:
    """As Open WebUI does it."""
    at = int(NEW_YEAR.timestamp())
    given = {
        "sub": "u-1",
        "id": "u-1",
        "email": "ann@example.org",
        "name": "Ann",
        "role": "user",
        "iss": "open-webui",
        "iat": at,
        "exp": at + 300,
        **claims,
    }
    return jwt.encode({name: it for name, it in given.items() if it is not None}, secret or "")


async def test_a_service_acts_for_whom_it_names_with_what_it_may() -> None:
    async with a_house() as house:
        service = await a_service(house, permissions=EVERYTHING, ai="work")
        caller = await house.services.access.principal(service.secret, signed(service.signing))
        assert (caller.user, caller.permissions, caller.ai) == ("webui:u-1", LENT, "work")
        assert caller.credential == service.key.id


async def test_a_service_that_names_nobody_can_do_nothing_personal() -> None:
    async with a_house() as house:
        service = await a_service(house)
        caller = await house.services.access.principal(service.secret)
        for permission in Permission:
            with pytest.raises(Forbidden, match="X-Memweaver-User"):
                caller.must(permission)


async def test_nothing_else_than_a_service_acts() -> None:
    async with a_house() as house:
        access, accounts = house.services.access, house.services.accounts
        service = await a_service(house)
        plain = await access.create("ann", "laptop", permissions=PERSONAL)
        ann = await accounts.add("ann@example.org", "Ann", "a long sentence")
        token = (await accounts.log_in(ann.email, "a long sentence")).token
        for secret in (plain.secret, token):
            with pytest.raises(Forbidden, match="services only"):
                await access.principal(secret, signed(service.signing))
        with pytest.raises(Unauthenticated):
            await access.principal("mw_guessed", signed(service.signing))


AT = int(NEW_YEAR.timestamp())


@pytest.mark.parametrize(
    "claims",
    [
        {"iat": AT + 0.25, "exp": AT + 59.75},
        {"iat": AT - 0.5, "exp": AT + 299.5},
    ],
)
async def test_seconds_may_have_fractions(claims: dict[str, object]) -> None:
    async with a_house() as house:
        service = await a_service(house)
        acting = signed(service.signing, **claims)
        assert (await house.services.access.principal(service.secret, acting)).user == "webui:u-1"


@pytest.mark.parametrize(
    "claims",
    [
        {"sub": None},
        {"sub": ""},
        {"sub": " "},
        {"sub": "a\0b"},
        {"sub": "x" * 256},
        {"sub": "x" * 257},
        {"iat": None},
        {"exp": None},
        {"exp": AT},
        {"exp": AT - 60},
        {"exp": AT + 301},
        {"exp": AT + 10**9},
        {"iat": AT + 120, "exp": AT + 200},
        {"iat": AT - 600},
        {"iat": AT - 0.5, "exp": AT + 299.75},
        {"exp": AT - 0.001},
        {"exp": 1e300},
        {"iat": str(AT)},
        {"exp": True},
        {"iat": False},
        {"nbf": AT},
    ],
)
async def test_what_does_not_hold_is_refused_as_any_wrong_credential(
    claims: dict[str, object],
) -> None:
    async with a_house() as house:
        service = await a_service(house)
        with pytest.raises(Unauthenticated, match="a valid API key or token is needed"):
            await house.services.access.principal(service.secret, signed(service.signing, **claims))


@pytest.mark.parametrize("text", ["", "owner", "webui:u-1", "a.b.c", "{}"])
async def test_what_is_not_signed_is_refused(text: str) -> None:
    async with a_house() as house:
        service = await a_service(house)
        with pytest.raises(Unauthenticated):
            await house.services.access.principal(service.secret, text)


async def test_one_service_cannot_sign_for_another() -> None:
    async with a_house() as house:
        one, other = await a_service(house), await a_service(house)
        with pytest.raises(Unauthenticated):
            await house.services.access.principal(one.secret, signed(other.signing))


async def test_a_service_goes_on_when_the_house_renews_its_secrets() -> None:
    async with a_house() as house:
        service = await a_service(house)
        await house.services.signing.renew("acting")
        house.clock.advance(timedelta(minutes=2))
        caller = await house.services.access.principal(service.secret, signed(service.signing))
        assert caller.user == "webui:u-1"


@pytest.mark.parametrize("realm", ["", "memweaver", "a:b", "a b", "ä", "-", "a/b"])
async def test_a_realm_is_a_plain_name(realm: str) -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match="`realm`"):
            await house.services.access.create("owner", "chat", realm=realm)


async def test_a_key_without_a_realm_acts_for_nobody() -> None:
    async with a_house() as house:
        with pytest.raises(InvalidInput, match="`permissions`"):
            await house.services.access.create("owner", "chat", permissions={Permission.ACT})
