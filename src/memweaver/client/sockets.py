"""A socket that hears what happens, and goes on where it was when the connection is back."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from memweaver.background import log_failure
from memweaver.errors import (
    ConfigurationError,
    Denied,
    Forbidden,
    InvalidInput,
    MemweaverError,
    NotFound,
    Unauthenticated,
)

try:
    import socketio
except ImportError as error:
    raise ConfigurationError(
        "listening needs its driver: pip install 'memweaver[client]'"
    ) from error

log = logging.getLogger(__name__)

Payload = Mapping[str, Any]
Callback = Callable[[str, Payload], Awaitable[None] | None]

TOLD = ("memory_update", "reflection", "turn_recorded", "message")
"""What is passed on, by name; each with what the documentation says of it."""
REFUSED: Mapping[str, type[MemweaverError]] = {
    one.code: one for one in (Denied, Forbidden, InvalidInput, Unauthenticated, NotFound)
}
EVERYTHING = "*"
"""How the room of all that is the user's is called."""
ANSWER = 20.0
"""Seconds to wait for an answer."""
PAUSES = (1.0, 30.0)
"""Seconds before a room is asked for once more: at first, and at most."""


@dataclass(slots=True)
class Heard:
    """Up to where a room was heard: `cursor` is the server's to read, `number` ours to compare."""

    cursor: str | None
    number: int = 0


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
        self._rooms: dict[str | None, Heard] = {}
        self._heard: asyncio.Queue[tuple[str, Payload]] = asyncio.Queue()
        self._beating: asyncio.Task[None] | None = None
        self._rejoining: asyncio.Task[None] | None = None
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
        for task in (self._beating, self._rejoining):
            if task:
                task.cancel()
                await asyncio.wait([task])
        await self._io.shutdown()
        # The last attempt to connect again may have come through meanwhile.
        await self._io.disconnect()

    async def join(self, ai_uuid: str | None = None, *, cursor: str | None = None) -> str:
        """Hear what happens to an AI, or all of the user's; from `cursor` on. Answers the room.

        Raises `NotFound` for an AI that is not yours, `InvalidInput` for a cursor that was not
        given out about this room, `Denied`.
        """
        with self._entering(ai_uuid, cursor):
            return await self._ask_in(ai_uuid)

    @contextmanager
    def _entering(self, ai_uuid: str | None, cursor: str | None) -> Generator[None]:
        """In the room from now on, as events may come before the answer does, unless that fails."""
        before = {room: heard for room, heard in self._rooms.items() if room == ai_uuid}
        self._rooms[ai_uuid] = Heard(cursor)
        try:
            yield
        except BaseException:
            self._rooms.pop(ai_uuid, None)
            self._rooms.update(before)
            raise

    async def _ask_in(self, ai_uuid: str | None) -> str:
        """Ask for what came after the last that was heard. Answers the room."""
        asked = {"ai_uuid": ai_uuid, "cursor": self._rooms[ai_uuid].cursor}
        joined = raised(await self._io.call("join", asked, timeout=ANSWER))
        self.missed += bool(joined["missed"])
        heard = self._rooms.get(ai_uuid)
        if heard and joined["missed"]:  # the numbers may have begun anew
            self._rooms[ai_uuid] = Heard(str(joined["cursor"]))
        elif heard and heard.cursor is None:
            heard.cursor = str(joined["cursor"])
        return str(joined["room"])

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
        heard = self._rooms.get(ai_uuid)
        return heard.cursor if heard else None

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
        if told_in := self._rooms.get(None if payload["room"] == EVERYTHING else payload["room"]):
            told_in.cursor = str(payload["cursor"])
        number, news = int(payload["number"]), False
        for room in (payload["ai_uuid"], None):
            heard = self._rooms.get(room)
            if heard and number > heard.number:
                heard.number, news = number, True
        return news

    async def _connected(self) -> None:
        """Not the first time: then rooms are joined again, each from where it was."""
        self._stop_rejoining()
        self._rejoining = asyncio.get_running_loop().create_task(self._rejoin())
        self._rejoining.add_done_callback(log_failure)
        self._back.set()

    async def _gone(self, *_: object) -> None:
        self._stop_rejoining()
        self._back.clear()

    def _stop_rejoining(self) -> None:
        """Who is connected anew begins anew."""
        if self._rejoining:
            self._rejoining.cancel()

    async def _rejoin(self) -> None:
        """First the room of all, as it counts as heard there what the room of an AI tells.

        Were it joined later, it would be told nothing of what other AIs did before that.
        """
        await self._again(None)
        async with asyncio.TaskGroup() as tasks:
            for ai_uuid in self._rooms.keys() - {None}:
                tasks.create_task(self._again(ai_uuid))

    async def _again(self, ai_uuid: str | None) -> None:
        """A room that is closed to us is left; whatever else fails may pass, and is tried again."""
        pause, longest = PAUSES
        while ai_uuid in self._rooms:
            try:
                await self._ask_in(ai_uuid)
            except (NotFound, Forbidden) as error:
                log.warning("a room cannot be joined again: %s", error.code)
                self._rooms.pop(ai_uuid, None)
            except InvalidInput:
                log.warning("a room is joined anew, as its cursor is good no longer")
                self._rooms[ai_uuid] = Heard(None)
                self.missed += 1
            except (MemweaverError, socketio.exceptions.SocketIOError) as error:
                log.warning("a room is not joined again yet: %r", error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, longest)
            else:
                return

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self._heartbeat)
            await self._back.wait()
            # The connection may be lost just now, before anybody has said so.
            with suppress(socketio.exceptions.SocketIOError):
                await self._io.emit("heartbeat", {})


def raised(answer: Any) -> Payload:
    """What was answered, unless it is a refusal: that is raised as ours."""
    payload: Payload = answer
    if "code" in payload and "message" in payload:
        kind = REFUSED.get(str(payload["code"]), MemweaverError)
        raise kind(str(payload["message"]))
    return payload
