"""The `Tokens` port by JSON Web Tokens."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import jwt

from memweaver.adapters.tokens.strict import ALGORITHM, Claims, Refused, proven
from memweaver.domain.scope import LONGEST_NAME
from memweaver.ports.tokens import Token, Tokens

ISSUER = AUDIENCE = "memweaver"
CLAIMS = {"iss", "aud", "sub", "iat", "exp", "jti"}
ACTING_AT_MOST = timedelta(minutes=5)
"""For how long the word of a service may hold."""
SKEW = timedelta(seconds=60)
"""How far the clock of whoever signed may be ahead of ours."""


class Jwts(Tokens):
    def issue(self, token: Token, version: int, secret: bytes) -> str:
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": token.user,
            "iat": int(token.issued_at.timestamp()),
            "exp": int(token.expires_at.timestamp()),
            "jti": token.id,
        }
        return jwt.encode(claims, secret, ALGORITHM, headers={"kid": str(version)})

    def read(self, text: str, secrets: Mapping[int, bytes], now: datetime) -> Token | None:
        by_kid = {str(version): secret for version, secret in secrets.items()}

        def key_for(header: Claims) -> bytes | None:
            kid = header.get("kid")
            known = header == {"alg": ALGORITHM, "typ": "JWT", "kid": kid}
            return by_kid.get(kid) if known and isinstance(kid, str) else None

        try:
            claims = proven(text, key_for)
            token = as_token(claims)
        except Refused:
            return None
        return token if token.issued_at - SKEW <= now < token.expires_at else None

    def end_user(self, text: str, secret: bytes, now: datetime) -> str | None:
        def key_for(header: Claims) -> bytes | None:
            return secret if header == {"alg": ALGORITHM, "typ": "JWT"} else None

        try:
            claims = proven(text, key_for)
            issued, expires = moment(claims.get("iat")), moment(claims.get("exp"))
            name = named(claims.get("sub"))
        except Refused:
            return None
        holds = issued <= now + SKEW and now < expires <= issued + ACTING_AT_MOST
        return name if holds and "nbf" not in claims else None


def as_token(claims: Claims) -> Token:
    ours = claims.get("iss") == ISSUER and claims.get("aud") == AUDIENCE
    if not ours or claims.keys() != CLAIMS:
        raise Refused
    return Token(
        named(claims["jti"]),
        named(claims["sub"]),
        moment(whole(claims["iat"])),
        moment(whole(claims["exp"])),
    )


def named(value: object) -> str:
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise Refused
    if len(value) > LONGEST_NAME:
        raise Refused
    return value


def whole(value: object) -> object:
    """As our own tokens tell seconds."""
    if isinstance(value, float):
        raise Refused
    return value


def moment(value: object) -> datetime:
    """Seconds, also in fractions: no text, no truth value."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise Refused
    try:
        return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise Refused from error
