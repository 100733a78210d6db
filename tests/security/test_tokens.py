"""Forged tokens: whatever is wrong with one, it is refused in the same way."""

import hmac
import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from time import time
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from tests.wire.house import House, Visitor, open_house

from memweaver.adapters.tokens import jwts, strict
from memweaver.app.house_sections import AccessSettings
from memweaver.app.settings import Settings

SECRET = "Zq8v3kLm0pXw7RtY2nBc5sDf9gHj1aQe" * 2
PASSWORD = "a long sentence nobody guesses"
ADA = {"name": "Ada", "email": "ada@example.org", "password": PASSWORD, "confirm": PASSWORD}
HEADER: Mapping[str, Any] = {"alg": "HS256", "typ": "JWT", "kid": "0"}
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PUBLIC = RSA.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)

Forger = Callable[[dict[str, Any]], str]
"""Makes a token out of claims that would be right."""


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


def spelt(part: bytes | object) -> str:
    clear = part if isinstance(part, bytes) else json.dumps(part).encode()
    return urlsafe_b64encode(clear).rstrip(b"=").decode()


def token(
    header: bytes | object,
    claims: bytes | object,
    secret: bytes = SECRET.encode(),
    how: str = "sha256",
) -> str:
    """Signed as it should be, whatever it says."""
    text = f"{spelt(header)}.{spelt(claims)}"
    return f"{text}.{spelt(hmac.digest(secret, text.encode(), how))}"


def with_header(**changes: Any) -> Forger:
    return lambda claims: token({**HEADER, **changes}, claims)


def without(name: str) -> Forger:
    return lambda claims: token(HEADER, {key: it for key, it in claims.items() if key != name})


def claiming(**changes: Any) -> Forger:
    return lambda claims: token(HEADER, {**claims, **changes})


def later(**seconds: Any) -> Forger:
    return lambda claims: token(
        HEADER, {**claims, **{k: int(time()) + v for k, v in seconds.items()}}
    )


def altered(change: Callable[[str], str]) -> Forger:
    return lambda claims: change(token(HEADER, claims))


def doubled(name: str, value: str) -> Forger:
    def forge(claims: dict[str, Any]) -> str:
        return token(HEADER, f'{json.dumps(claims)[:-1]}, "{name}": {value}}}'.encode())

    return forge


def by_library(key: Any, algorithm: str) -> Forger:
    return lambda claims: jwt.encode(claims, key, algorithm, headers={"kid": "0"})


def resigned_parts(claims: dict[str, Any]) -> str:
    """The signature of one token under the claims of another."""
    header, _, signature = token(HEADER, claims).split(".")
    return f"{header}.{spelt({**claims, 'exp': claims['exp'] + 1})}.{signature}"


def other_last_bits(text: str) -> str:
    """The same signature, spelt in another way: its last character has two bits to spare."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    return text[:-1] + alphabet[alphabet.index(text[-1]) ^ 1]


FORGED: Mapping[str, Forger] = {
    "no algorithm": lambda claims: token({**HEADER, "alg": "none"}, claims).rsplit(".", 1)[0] + ".",
    "no algorithm, signed": with_header(alg="none"),
    "None": with_header(alg="None"),
    "NONE": with_header(alg="NONE"),
    "no algorithm named": lambda claims: token({"typ": "JWT", "kid": "0"}, claims),
    "algorithm null": with_header(alg=None),
    "algorithms in a list": with_header(alg=["HS256"]),
    "lower case": with_header(alg="hs256"),
    "HS384": lambda claims: token({**HEADER, "alg": "HS384"}, claims, how="sha384"),
    "HS512": lambda claims: token({**HEADER, "alg": "HS512"}, claims, how="sha512"),
    "RS256": by_library(RSA, "RS256"),
    "PS256": by_library(RSA, "PS256"),
    "ES256": by_library(ec.generate_private_key(ec.SECP256R1()), "ES256"),
    "EdDSA": by_library(ed25519.Ed25519PrivateKey.generate(), "EdDSA"),
    "a public key as the secret": lambda claims: token(HEADER, claims, PUBLIC),
    "RS256, signed by the secret": with_header(alg="RS256"),
    "empty secret": lambda claims: token(HEADER, claims, b""),
    "guessed secret": lambda claims: token(HEADER, claims, b"secret"),
    "another server's secret": lambda claims: token(HEADER, claims, b"x" * 32),
    "kid is a path": with_header(kid="../../../../dev/null"),
    "kid is SQL": with_header(kid="0' UNION SELECT 'x' --"),
    "kid is a number": with_header(kid=0),
    "kid is spelt otherwise": with_header(kid="00"),
    "kid of no version": with_header(kid="7"),
    "kid is a list": with_header(kid=["0"]),
    "no kid": lambda claims: token({"alg": "HS256", "typ": "JWT"}, claims),
    "jku": with_header(jku="https://attacker.example/keys"),
    "jwk": with_header(jwk={"kty": "oct", "k": spelt(SECRET.encode())}),
    "x5u": with_header(x5u="https://attacker.example/cert"),
    "x5c": with_header(x5c=["MIIB"]),
    "crit": with_header(crit=["exp"], exp=1),
    "b64": with_header(b64=False, crit=["b64"]),
    "zip": with_header(zip="DEF"),
    "another type": with_header(typ="at+jwt"),
    "type in lower case": with_header(typ="jwt"),
    "no type": lambda claims: token({"alg": "HS256", "kid": "0"}, claims),
    "content type": with_header(cty="JWT"),
    "header is a list": lambda claims: token([HEADER], claims),
    "header names alg twice": lambda claims: token(
        b'{"alg":"none","alg":"HS256","typ":"JWT","kid":"0"}', claims
    ),
    "expired": later(exp=-3600),
    "expired just now": later(exp=0),
    "from before the account": later(iat=-7200),
    "from the future": later(iat=3600, exp=7200),
    "exp is text": lambda claims: token(HEADER, {**claims, "exp": str(claims["exp"])}),
    "exp is a fraction": lambda claims: token(HEADER, {**claims, "exp": claims["exp"] + 0.5}),
    "exp is true": claiming(exp=True),
    "exp is null": claiming(exp=None),
    "exp is a list": lambda claims: token(HEADER, {**claims, "exp": [claims["exp"]]}),
    "exp beyond the calendar": claiming(exp=10**20),
    "exp is infinite": lambda claims: token(
        HEADER, json.dumps({**claims, "exp": float("inf")}).encode()
    ),
    "iat is text": lambda claims: token(HEADER, {**claims, "iat": str(claims["iat"])}),
    "iat is NaN": lambda claims: token(
        HEADER, json.dumps({**claims, "iat": float("nan")}).encode()
    ),
    "nbf in the future": later(nbf=3600),
    "nbf is text": claiming(nbf="soon"),
    "no exp": without("exp"),
    "no iat": without("iat"),
    "no sub": without("sub"),
    "no jti": without("jti"),
    "no iss": without("iss"),
    "no aud": without("aud"),
    "another issuer": claiming(iss="attacker"),
    "issuers in a list": claiming(iss=["memweaver"]),
    "a longer issuer": claiming(iss="memweaver.attacker.example"),
    "a shorter issuer": claiming(iss="mem"),
    "another audience": claiming(aud="other"),
    "audiences in a list": claiming(aud=["memweaver", "other"]),
    "a part of the audience": claiming(aud="weaver"),
    "empty audience": claiming(aud=""),
    "nobody": claiming(sub="nobody"),
    "the house": claiming(sub="memweaver:house"),
    "empty sub": claiming(sub=""),
    "sub is a number": claiming(sub=1),
    "sub with a zero byte": claiming(sub="owner\0"),
    "half a character": claiming(sub="\ud800"),
    "jti is a number": claiming(jti=1),
    "one claim more": claiming(admin=True),
    "sub twice": doubled("sub", '"owner"'),
    "exp twice": doubled("exp", "99999999999"),
    "claims in a list": lambda claims: token(HEADER, [claims]),
    "claims are no JSON": lambda _: token(HEADER, b"owner"),
    "claims nested deeply": lambda _: token(HEADER, b"[" * 1500),
    "claims in another encoding": lambda claims: token(HEADER, json.dumps(claims).encode("utf-16")),
    "claims swapped": resigned_parts,
    "signature cut off": altered(lambda text: text.rsplit(".", 1)[0]),
    "signature empty": altered(lambda text: text.rsplit(".", 1)[0] + "."),
    "signature truncated": altered(lambda text: text[:-4]),
    "signature spelt otherwise": altered(other_last_bits),
    "one character less": altered(lambda text: text[:-1]),
    "one character more": altered(lambda text: text + "A"),
    "padded": altered(lambda text: text + "="),
    "a header that cannot be": altered(lambda text: "AAAAA" + text[text.index(".") :]),
    "claims that cannot be": lambda _: "e30.AAAAA." + "A" * 43,
    "four parts": altered(lambda text: text + ".AAAA"),
    "five parts": altered(lambda text: "." + text + "."),
    "blank within": altered(lambda text: text[:40] + " " + text[40:]),
    "plus and slash": altered(lambda text: text.replace("-", "+").replace("_", "/") + "/"),
    "upper case": altered(str.upper),
    "oversized": lambda claims: token(HEADER, {**claims, "jti": "x" * 100_000}),
    "oversized by blanks": lambda claims: token(HEADER, json.dumps(claims).encode() + b" " * 9999),
    "a long name": lambda claims: token(HEADER, {**claims, "jti": "x" * 257}),
    "signed for acting": lambda claims: jwt.encode(claims, SECRET),
    "JSON serialisation": lambda claims: json.dumps({"payload": spelt(claims)}),
    "empty parts": lambda _: "..",
}


def right(now: float | None = None) -> dict[str, Any]:
    at = int(now or time())
    return {
        "iss": "memweaver",
        "aud": "memweaver",
        "sub": "owner",
        "iat": at,
        "exp": at + 3600,
        "jti": "forged",
    }


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
