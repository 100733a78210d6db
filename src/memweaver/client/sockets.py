"""A socket that hears what happens, and goes on where it was when the connection is back."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Self

from memweaver.errors import ConfigurationError, Denied, MemweaverError, NotFound, Unauthenticated

try:
    import socketio
except ImportError as error:
    raise ConfigurationError(
        "listening needs its driver: pip install 'memweaver[client]'"
    ) from error

Payload = Mapping[str, Any]
Callback = Callable[[str, Payload], Awaitable[None] | None]

TOLD = ("memory_update", "reflection", "turn_recorded", "message")
"""What is passed on, by name; each with what the documentation says of it."""
REFUSED: Mapping[str, type[MemweaverError]] = {
    one.code: one for one in (Denied, Unauthenticated, NotFound)
}
ANSWER = 20.0
"""Seconds to wait for an answer."""


class AiSocketClient:
    """Authenticates, joins the rooms it is told to, and passes on what happens there, once.

    Use it as a context manager. It gives signs of life every `heartbeat` seconds, connects again
    by itself, and asks then for what it missed: `missed` counts how often that was too late.
    """

    def __init__(
        self, url: str, api_key: str, *, on_event: Callback | None = None, heartbeat: float = 20.0
    ) -> None:
        self._url = url
        self._auth = {"api_key": api_key}
        self._on_event = on_event
        self._heartbeat = heartbeat
        self._rooms: dict[str | None, str | None] = {}
        self._heard: asyncio.Queue[tuple[str, Payload]] = asyncio.Queue()
        self._beating: asyncio.Task[None] | None = None
        self._back: asyncio.Event = asyncio.Event()
        self.missed = 0
        self._io = socketio.AsyncClient(reconnection=True, reconnection_delay=0.1)
        self._io.on("connect", self._connected)
        self._io.on("disconnect", self._gone)
        for name in TOLD:
            self._io.on(name, self._passing(name))

    async def __aenter__(self) -> Self:
        """Raises `Unauthenticated`."""
        try:
            await self._io.connect(
                self._url, auth=self._auth, transports=["websocket"], wait_timeout=ANSWER
            )
        except socketio.exceptions.ConnectionError as error:
            raise Unauthenticated("the server cannot be reached, or refuses the key") from error
        self._beating = asyncio.get_running_loop().create_task(self._beat())
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._beating:
            self._beating.cancel()
            await asyncio.wait([self._beating])
        await self._io.disconnect()

    async def join(self, ai_uuid: str | None = None, *, cursor: str | None = None) -> str:
        """Hear what happens to an AI, or all of the user's; from `cursor` on. Answers the room.

        Raises `NotFound` for an AI that is not yours, `Denied`.
        """
        asked = {"ai_uuid": ai_uuid} if cursor is None else {"ai_uuid": ai_uuid, "cursor": cursor}
        self._rooms[ai_uuid] = cursor  # events may come before the answer does
        joined = await self._ask_in(asked)
        if joined["missed"] or self._rooms.get(ai_uuid) is None:
            self._rooms[ai_uuid] = str(joined["cursor"])
        return str(joined["room"])

    async def _ask_in(self, asked: Payload) -> Payload:
        joined = raised(await self._io.call("join", asked, timeout=ANSWER))
        self.missed += bool(joined["missed"])
        return joined

    async def leave(self, ai_uuid: str | None = None) -> None:
        self._rooms.pop(ai_uuid, None)
        raised(await self._io.call("leave", {"ai_uuid": ai_uuid}, timeout=ANSWER))

    async def send(self, ai_uuid: str, content: str) -> None:
        """Say something to whoever is in the room. Raises `Denied`, `NotFound`."""
        said = {"ai_uuid": ai_uuid, "content": content}
        raised(await self._io.call("message", said, timeout=ANSWER))

    async def events(self) -> AsyncIterator[tuple[str, Payload]]:
        """What happens, by its name, as long as somebody listens."""
        while True:
            yield await self._heard.get()

    def cursor(self, ai_uuid: str | None = None) -> str | None:
        """Up to where a room was heard: to be kept by who wants to go on after a restart."""
        return self._rooms.get(ai_uuid)

    def _passing(self, name: str) -> Callable[[Payload], Awaitable[None]]:
        async def passed(payload: Payload) -> None:
            if name != "message" and not self._new(payload):
                return
            if self._on_event is None:
                self._heard.put_nowait((name, payload))
                return
            waiting = self._on_event(name, payload)
            if waiting is not None:
                await waiting

        return passed

    def _new(self, payload: Payload) -> bool:
        """Whether a room hears this for the first time: who is in two rooms is told twice."""
        cursor, news = str(payload["cursor"]), False
        for room in (payload["ai_uuid"], None):
            known = self._rooms.get(room, cursor)
            if known is None or number_of(cursor) > number_of(known):
                self._rooms[room], news = cursor, True
        return news

    async def _connected(self) -> None:
        """Not the first time: then rooms are joined again, each from where it was."""
        for ai_uuid, cursor in list(self._rooms.items()):
            self._io.start_background_task(self._again, ai_uuid, cursor)
        self._back.set()

    async def _again(self, ai_uuid: str | None, cursor: str | None) -> None:
        """What another room has told meanwhile is not told again."""
        joined = await self._ask_in({"ai_uuid": ai_uuid, "cursor": cursor})
        if joined["missed"]:
            self._rooms[ai_uuid] = str(joined["cursor"])

    async def _gone(self, *_: object) -> None:
        self._back.clear()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat)
            await self._back.wait()
            await self._io.emit("heartbeat", {})


def number_of(cursor: str) -> int:
    return int(cursor.partition(".")[0])


def raised(answer: Any) -> Payload:
    """What was answered, unless it is a refusal: that is raised as ours."""
    payload: Payload = answer
    if "code" in payload and "message" in payload:
        kind = REFUSED.get(str(payload["code"]), MemweaverError)
        raise kind(str(payload["message"]))
    return payload
