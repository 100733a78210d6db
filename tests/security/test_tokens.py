"""Forged tokens: whatever is wrong with one, it is refused in the same way."""

import re
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

import jwt
import pytest
from tests.security.forged import FORGED, HEADER, SECRET, right, token
from tests.wire.house import House, Visitor, open_house

from memweaver.adapters.tokens import jwts, strict
from memweaver.app.house_sections import AccessSettings
from memweaver.app.settings import Settings

PASSWORD = "a long sentence nobody guesses"
ADA = {"name": "Ada", "email": "ada@example.org", "password": PASSWORD, "confirm": PASSWORD}


@pytest.fixture(scope="module")
def entered(tmp_path_factory: pytest.TempPathFactory) -> Generator[Visitor]:
    """Ada, logged in at a server whose secret the forger knows: only the shape is to stop him."""
    folder: Path = tmp_path_factory.mktemp("tokens")
    access = AccessSettings.model_validate(
        {"admin_email": ADA["email"], "token_secret": SECRET, "logins_per_minute": 1000}
    )
    with open_house(Settings(data=folder, access=access)) as house:
        house.client.post("/signup", json=ADA)
        yield logged_in(house)


def logged_in(house: House) -> Visitor:
    given = {"email": ADA["email"], "password": PASSWORD}
    return Visitor("owner", house.client.post("/login", json=given).json()["token"], house.client)


def unlike(headers: Mapping[str, str]) -> dict[str, str]:
    """All but what tells one request from another."""
    return {name: value for name, value in headers.items() if name.lower() != "x-request-id"}


def presented(visitor: Visitor, text: str) -> Any:
    headers = {b"Authorization": b"Bearer " + text.encode("utf-8")}
    return visitor.client.get("/v1/me", headers=headers)


def test_what_the_forger_begins_with_would_let_him_in(entered: Visitor) -> None:
    assert presented(entered, token(HEADER, right())).status_code == 200
    assert presented(entered, entered.secret).status_code == 200


def test_there_are_enough_of_them() -> None:
    assert len(FORGED) >= 40


@pytest.mark.requirement("B18")
@pytest.mark.parametrize("name", FORGED)
def test_a_forged_token_is_refused_like_any_other(entered: Visitor, name: str) -> None:
    refused = presented(entered, FORGED[name](right()))
    guessed = presented(entered, "mw_guessed")

    assert refused.status_code == 401
    assert refused.content == guessed.content
    assert unlike(refused.headers) == unlike(guessed.headers)


def accepted(visitor: Visitor) -> set[str]:
    return {
        name
        for name, forge in FORGED.items()
        if presented(visitor, forge(right())).status_code == 200
    }


def unverified(read: Callable[[str], Any], text: str) -> Any:
    try:
        return read(text)
    except (jwt.PyJWTError, ValueError, LookupError, RecursionError, strict.Refused):
        return {}


def any_header(text: str, key_for: Callable[[Any], bytes | None]) -> Any:
    """As if only the key were taken from the header."""
    header = unverified(jwt.get_unverified_header, text)
    return PROVEN(text, lambda _: key_for({**HEADER, "kid": header.get("kid", "0")}))


def lenient_moment(value: object) -> Any:
    return MOMENT(int(float(str(value))))


def any_time(self: jwts.Jwts, text: str, secrets: Any, _: Any) -> Any:
    """As if nobody looked at the clock."""
    body = unverified(lambda it: strict.decoded(it.split(".")[1]), text)
    ends = body.get("exp") if isinstance(body, dict) else None
    return READ(self, text, secrets, MOMENT(ends - 1 if type(ends) is int else 0))


def any_algorithm(text: str, key: Any, **options: Any) -> Any:
    return DECODE(text, key, **{**options, "algorithms": ["HS256", "HS384", "HS512"]})


class Anything:
    """Equal to whatever it is compared with."""

    def __eq__(self, _: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


PROVEN, MOMENT, READ, DECODE = strict.proven, jwts.moment, jwts.Jwts.read, jwt.decode

MUTANTS: Mapping[str, tuple[list[tuple[object, str, object]], set[str]]] = {
    "the signature is not checked": (
        [(strict, "SIGNATURE_ONLY", {**strict.SIGNATURE_ONLY, "verify_signature": False})],
        {"guessed secret", "a public key as the secret", "claims swapped"},
    ),
    "the clock is not looked at": (
        [(jwts.Jwts, "read", any_time)],
        {"expired just now", "from the future"},
    ),
    "the header is not looked at": (
        [(jwts, "proven", any_header)],
        {"jku", "jwk", "x5u", "another type", "no kid"},
    ),
    "more algorithms will do": (
        [
            (jwts, "proven", any_header),
            (jwt, "decode", any_algorithm),
            (strict, "SPELLING", re.compile(r"([^.]+)\.([^.]+)\.([^.]+)")),
        ],
        {"HS384", "HS512"},
    ),
    "any claims will do": ([(jwts, "CLAIMS", Anything())], {"one claim more", "nbf in the future"}),
    "another issuer will do": ([(jwts, "ISSUER", Anything())], {"another issuer"}),
    "another audience will do": ([(jwts, "AUDIENCE", Anything())], {"audiences in a list"}),
    "times may be written as text": ([(jwts, "moment", lenient_moment)], {"exp is text"}),
    "a claim may come twice": ([(strict, "named_once", dict)], {"exp twice", "sub twice"}),
    "a token may have any length": ([(strict, "LONGEST", 10**9)], {"oversized by blanks"}),
}
"""What could be left out, and the forged tokens that then come in."""


@pytest.mark.parametrize("name", MUTANTS)
def test_a_check_that_is_left_out_is_noticed(
    entered: Visitor, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    changes, noticed = MUTANTS[name]
    for place, attribute, value in changes:
        monkeypatch.setattr(place, attribute, value)
    assert accepted(entered) >= noticed
