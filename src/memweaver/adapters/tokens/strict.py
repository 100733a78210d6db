"""Reads a signed token without leniency: one shape, one algorithm, no name twice."""

import json
import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping
from typing import Any

import jwt

ALGORITHM = "HS256"
LONGEST = 4096
"""Characters: what is longer is not looked at."""
SPELLING = re.compile(r"([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})", re.ASCII)

Claims = Mapping[str, Any]


class Refused(Exception):
    """It does not matter why."""


def proven(text: str, key_for: Callable[[Claims], bytes | None]) -> Claims:
    """What `text` says, if the key that its header calls for signed it. Raises `Refused`.

    `key_for` sees the header before anything is trusted, and refuses whatever it does not know:
    so nothing in it can name a key, a place to get one, or an extension.
    """
    spelt = SPELLING.fullmatch(text) if len(text) <= LONGEST else None
    if spelt is None:
        raise Refused
    header, body, _ = spelt.groups()
    key = key_for(decoded(header))
    if key is None:
        raise Refused
    try:
        jwt.decode(text, key, algorithms=[ALGORITHM], options=SIGNATURE_ONLY)
    except (jwt.PyJWTError, ValueError) as error:
        raise Refused from error
    return decoded(body)


SIGNATURE_ONLY: Any = {
    "verify_signature": True,
    "verify_exp": False,
    "verify_nbf": False,
    "verify_iat": False,
    "verify_aud": False,
    "verify_iss": False,
    "verify_sub": False,
    "verify_jti": False,
}
"""Claims are checked by us: more strictly, and against the clock that everything goes by."""


def decoded(segment: str) -> Claims:
    """Raises `Refused`."""
    try:
        clear = urlsafe_b64decode(segment + "=" * (-len(segment) % 4)).decode()
        claims = json.loads(clear, object_pairs_hook=named_once, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise Refused from error
    if not isinstance(claims, dict):
        raise Refused
    return claims


def named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    claims = dict(pairs)
    if len(claims) != len(pairs):
        raise Refused
    return claims


def refuse(_: str) -> Any:
    raise Refused
