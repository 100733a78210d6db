"""Tokens as forgers make them, who know the secret: each is wrong in one way."""

import hmac
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from time import time
from typing import Any

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

SECRET = "Zq8v3kLm0pXw7RtY2nBc5sDf9gHj1aQe" * 2
HEADER: Mapping[str, Any] = {"alg": "HS256", "typ": "JWT", "kid": "0"}
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PUBLIC = RSA.public_key().public_bytes(
    serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
)

Forger = Callable[[dict[str, Any]], str]
"""Makes a token out of claims that would be right."""


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
