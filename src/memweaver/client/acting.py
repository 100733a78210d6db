"""For services that speak for their end users: the signed header that names one."""

import hmac
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable

from pydantic_core import to_json

HOLDS = 60
"""Seconds that a signature holds; it is made anew for each request."""


def acting_for(end_user: str, signing_secret: str) -> Callable[[], str]:
    """What `MemweaverClient` takes as `acting`: every request is then for `end_user`.

    `signing_secret` is shown with the service's key when that is made.
    """

    def signed() -> str:
        now = int(time.time())
        head = encoded(to_json({"alg": "HS256", "typ": "JWT"}))
        claims = encoded(to_json({"sub": end_user, "iat": now, "exp": now + HOLDS}))
        mark = hmac.digest(signing_secret.encode(), head + b"." + claims, "sha256")
        return b".".join([head, claims, encoded(mark)]).decode()

    return signed


def encoded(part: bytes) -> bytes:
    return urlsafe_b64encode(part).rstrip(b"=")
