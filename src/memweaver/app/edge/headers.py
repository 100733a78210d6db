"""What every answer tells a browser: not to guess, not to keep, not to show it elsewhere."""

import re
from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256

from starlette.types import Message, Send

Headers = list[tuple[bytes, bytes]]

DOCS = "/docs"
NOTHING = b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
"""For answers that are no pages."""
SECURE: Headers = [
    (b"content-security-policy", NOTHING),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
INLINE = re.compile(rb"<script>(.*?)</script>", re.DOTALL)


def dressed(message: Message, request_id: bytes) -> None:
    """Add to the beginning of an answer what it does not say itself."""
    given: Headers = message.get("headers", [])
    names = {name.lower() for name, _ in given}
    message["headers"] = [
        *given,
        *(one for one in SECURE if one[0] not in names),
        (b"x-request-id", request_id),
    ]


def page_policy(page: bytes) -> bytes:
    """What a page of our own may load: what lies here, and the scripts written into it."""
    scripts = " ".join(f"'sha256-{digest(script)}'" for script in INLINE.findall(page))
    return (
        "default-src 'none'; connect-src 'self'; img-src 'self' data:; "
        f"style-src 'self' 'unsafe-inline'; script-src 'self' {scripts}; "
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    ).encode()


def digest(script: bytes) -> str:
    return b64encode(sha256(script).digest()).decode()


def as_page(send: Send) -> Send:
    """Holds the beginning of an answer back until its scripts are known."""
    held: list[Message] = []

    async def send_page(message: Message) -> None:
        if message["type"] == "http.response.start":
            held.append(message)
            return
        if held:
            policy = (b"content-security-policy", page_policy(message.get("body", b"")))
            held[0]["headers"] = [*without(held[0]["headers"], policy[0]), policy]
            await send(held.pop())
        await send(message)

    return send_page


def without(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> Headers:
    return [one for one in headers if one[0].lower() != name]
