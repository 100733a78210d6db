"""The body of a request: within its size, its time and its depth, or refused."""

import asyncio
import re
from collections.abc import Mapping
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CLOSE = {"Connection": "close"}
"""For whoever still sends: else the rest would have to be read before the next request."""
STRINGS = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
NO_BRACKETS = bytes(one for one in range(256) if one not in b"[]{}")


class BodyLimit:
    """Refuses a body over the limit, announced or not, before it is in memory.

    Likewise one that takes longer than `patience` seconds to come, and one whose brackets lie
    deeper than `depth`, before anything parses it. `larger` has paths with limits of their own.
    """

    def __init__(
        self,
        app: ASGIApp,
        limit: int,
        larger: Mapping[str, int],
        depth: int,
        patience: float,
    ) -> None:
        self._app = app
        self._limit = limit
        self._larger = larger
        self._depth = depth
        self._patience = patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and bodied(scope):
            limit = self._larger.get(scope["path"], self._limit)
            receive = Reading(receive, limit, self._depth, self._patience).receive
        await self._app(scope, receive, send)


def bodied(scope: Scope) -> bool:
    """Whether a body follows the headers; before HTTP/2 they say so."""
    return not scope["http_version"].startswith("1") or any(
        name in (b"content-length", b"transfer-encoding") for name, _ in scope["headers"]
    )


class Reading:
    """One body, piece by piece."""

    def __init__(self, receive: Receive, limit: int, depth: int, patience: float) -> None:
        self._receive = receive
        self._limit = limit
        self._depth = depth
        self._until = asyncio.get_running_loop().time() + patience
        self._pieces: list[bytes] = []
        self._size = 0
        self._opened = 0
        self._whole = False

    async def receive(self) -> Message:
        if self._whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError as error:
            raise HTTPException(
                HTTPStatus.REQUEST_TIMEOUT, "the body took too long to come", CLOSE
            ) from error
        self._take(message.get("body", b""))
        if not message.get("more_body", False):
            self._end()
        return message

    def _take(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._limit:
            raise HTTPException(
                HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                f"the body is over the limit of {self._limit} bytes",
                CLOSE,
            )
        self._opened += piece.count(b"[") + piece.count(b"{")
        self._pieces.append(piece)

    def _end(self) -> None:
        self._whole = True
        # What has fewer brackets than levels are allowed cannot be too deep: the usual case.
        if self._opened > self._depth and deeper(b"".join(self._pieces), self._depth):
            raise HTTPException(
                HTTPStatus.BAD_REQUEST, f"the JSON of the body is deeper than {self._depth} levels"
            )
        self._pieces.clear()


def deeper(text: bytes, depth: int) -> bool:
    """Whether the brackets of `text` lie deeper than `depth`: each round takes the innermost away.

    Brackets that do not match count as deep as they are many: no such text is JSON.
    """
    brackets = STRINGS.sub(b"", text).translate(None, NO_BRACKETS)
    for _ in range(depth):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return bool(brackets)
