"""For who receives webhooks: whether what came was sent by us, just now."""

import hmac
import time
from typing import Literal

from memweaver.domain.webhook import signature
from memweaver.errors import Unauthenticated

FRESH = 300
"""Seconds that a request may be old: an older one may be somebody's copy."""


def verified(secret: str, header: str, body: bytes, *, now: float | None = None) -> Literal[True]:
    """Raises `Unauthenticated` unless `body` came with the `Memweaver-Signature` in `header`.

    It never answers anything but `True`, so that it may also stand in an `if`.
    `secret` is what was shown when the webhook was made, `body` the bytes as they came.
    """
    seconds = header.partition(",")[0].removeprefix("t=")
    if not (seconds.isascii() and seconds.isdigit() and len(seconds) < len(str(2**63))):
        raise Unauthenticated("the signature cannot be read")
    right = signature(secret, int(seconds), body)
    if not hmac.compare_digest(right.encode(), header.encode("utf-8", "replace")):
        raise Unauthenticated("the signature is another's")
    if abs((time.time() if now is None else now) - int(seconds)) > FRESH:
        raise Unauthenticated("the signature is too old")
    return True
