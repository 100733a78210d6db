"""The server of sockets: every event asks anew who it is that sends it."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Any

import socketio
from pydantic import ValidationError

from memweaver.background import Aside, beside
from memweaver.domain.event import Told
from memweaver.domain.principal import Permission, Principal
from memweaver.domain.scope import Scope
from memweaver.errors import (
    Denied,
    InvalidInput,
    MemweaverError,
    NotFound,
    TooLarge,
    Unauthenticated,
)
from memweaver.interfaces.socketio.bus import Bus
from memweaver.interfaces.socketio.errors import UNFORESEEN, malformed, refusal
from memweaver.interfaces.socketio.lines import Lines
from memweaver.interfaces.socketio.logs import log_of_sockets, log_of_transport
from memweaver.interfaces.socketio.packets import TextPacket
from memweaver.interfaces.socketio.seats import Seat, room_of, room_shown
from memweaver.interfaces.socketio.wire import (
    ASKED,
    Authenticate,
    Authenticated,
    Beat,
    Heartbeat,
    Join,
    Joined,
    Leave,
    Left,
    Message,
    Payload,
    Refused,
    Said,
    shown,
)
from memweaver.services import Services
from memweaver.services.listen import Hearer

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds that a connection may stay without saying who it is."""
RECHECK = 2.0
"""Seconds between two looks at whether everybody may still be there."""

Handler = Callable[[str, Any], Awaitable[tuple[str, Payload]]]


class Sockets:
    """`bus` is the Redis by which several servers pass on messages; events need none.

    `longest` is how many bytes a message may have. A packet may have twice as many, as JSON may
    need two for what is one.
    """

    def __init__(self, *, heartbeat: float, longest: int, bus: str = "") -> None:
        self._bus = Bus(bus) if bus else None
        self._io = socketio.AsyncServer(
            async_mode="asgi",
            client_manager=self._bus,
            cors_allowed_origins=[],  # foreign pages are turned away at the edge, for every route
            max_http_buffer_size=2 * longest,
            ping_interval=heartbeat,
            async_handlers=False,
            serializer=TextPacket,
            logger=log_of_sockets(),
            engineio_logger=log_of_transport(),
        )
        self.app = socketio.ASGIApp(self._io, socketio_path=None)
        self._longest = longest
        self._lines = Lines(self._io)
        self._seats: dict[str, Seat] = {}
        self._aside = Aside()
        self._opened: Services | None = None
        self._io.on("connect", self._connect)
        self._io.on("disconnect", self._disconnect)
        self._io.on("*", self._answer)
        self._handlers: Mapping[str, Handler] = {
            "authenticate": self._authenticate,
            "join": self._join,
            "leave": self._leave,
            "message": self._message,
            "heartbeat": self._heartbeat,
        }

    @asynccontextmanager
    async def serving(self, services: Services) -> AsyncGenerator[None]:
        """Answer sockets by `services` until the body ends."""
        self._opened = services
        async with beside(services.upkeep("sockets", self._watch)):
            try:
                yield
            finally:
                self._opened = None
                await self._aside.settled()
                for sid in list(self._seats):
                    await self._send_away(sid)
                await self._io.shutdown()
                if self._bus:
                    await self._bus.aclose()

    @property
    def _services(self) -> Services:
        if self._opened is None:
            raise Unauthenticated("the server is not open")
        return self._opened

    async def _connect(self, sid: str, _: object, auth: object = None) -> bool:
        """A credential that comes along must be good; without one there is time to send it."""
        self._seats[sid] = Seat(self._lines.of(sid))
        self._count()
        if auth is None:
            return True
        try:
            given = Authenticate.model_validate(credential_in(auth))
            await self._admit(sid, given.api_key)
        except (ValidationError, MemweaverError):
            self._seats.pop(sid, None)
            self._count()
            return False
        return True

    async def _disconnect(self, sid: str, *_: object) -> None:
        seat = self._seats.pop(sid, None)
        if seat and self._opened:
            self._count()
            for hearer in seat.rooms.values():
                self._opened.listen.leave(hearer)

    def _count(self) -> None:
        self._services.watch.figures.level("sockets_open", len(self._seats))

    async def _answer(self, name: str, sid: str, *given: object) -> dict[str, Any]:
        """Whatever a socket sends: what comes of it, or what went wrong, is sent and acknowledged.

        An event that nobody knows is answered too: whoever sent it waits.
        """
        event, payload = await self._attempt(sid, name, given)
        plain = payload.model_dump(mode="json", exclude_none=True)
        await self._io.emit(event, plain, to=sid, ignore_queue=True)
        await self._begin(sid)
        if isinstance(payload, Refused) and payload.code == Unauthenticated.code:
            self._aside(self._send_away(sid))  # after what is returned is on its way
        return plain

    async def _begin(self, sid: str) -> None:
        """Tell events to who has just been told that it joined, and not before."""
        seat = self._seats.get(sid)
        if seat and seat.joining:
            hearer, seat.joining = seat.joining, None
            try:
                await self._services.listen.hear(hearer)
            except MemweaverError as error:  # the next look tells them
                log.warning("a listener waits: %s", error.code)

    async def _attempt(self, sid: str, name: str, given: tuple[object, ...]) -> tuple[str, Payload]:
        try:
            await self._take(self._seat(sid).user)
            asked = payload_of(name, given)
            return await self._handlers[name](sid, asked)
        except ValidationError as error:
            return "error", malformed(error)
        except MemweaverError as error:
            return "error", refusal(error)
        except Exception:
            log.exception("a socket's event failed", extra={"action": "socket_failed"})
            return "error", UNFORESEEN

    async def _take(self, user: str | None) -> None:
        """An event counts like a request, whatever comes of it. Raises `RateLimited`."""
        if user is not None:
            await self._services.rates.request(user)

    async def _authenticate(self, sid: str, asked: Authenticate) -> tuple[str, Payload]:
        await self._admit(sid, asked.api_key)
        return "authenticated", Authenticated()

    async def _admit(self, sid: str, secret: str) -> None:
        """Raises `Unauthenticated`; also for another user than before: rooms are theirs."""
        seat, principal = self._seat(sid), await self._services.access.principal(secret)
        if seat.user not in {None, principal.user}:
            raise Unauthenticated("this socket is another user's: connect anew")
        if seat.user is None:
            await self._take(principal.user)
        seat.secret, seat.user = secret, principal.user
        await self._keep_to(sid, principal)

    async def _join(self, sid: str, asked: Join) -> tuple[str, Payload]:
        principal = await self._principal(sid, Permission.READ)
        scope = await self._scope(principal, asked.ai_uuid)
        cursors = self._services.cursors
        cursor = None if asked.cursor is None else await cursors.heard(scope, asked.cursor)
        start = await self._services.listen.start(scope.user, cursor)
        await self._out_of(sid, scope)
        seat = self._seat(sid)
        calm = partial(self._lines.calm, seat.line)
        hearer = Hearer(scope, start.cursor.number, self._teller(sid, scope), calm)
        seat.rooms[room_of(scope)] = seat.joining = hearer
        await self._io.enter_room(sid, room_of(scope))
        signed = await cursors.told(scope, start.cursor)
        return "joined", Joined(room=room_shown(scope), cursor=signed, missed=start.missed)

    async def _leave(self, sid: str, asked: Leave) -> tuple[str, Payload]:
        principal = await self._principal(sid, Permission.READ)
        scope = principal.scope(asked.ai_uuid)
        await self._out_of(sid, scope)
        return "left", Left(room=room_shown(scope))

    async def _message(self, sid: str, asked: Message) -> tuple[str, Payload]:
        principal = await self._principal(sid, Permission.WRITE)
        if len(asked.content.encode("utf-8", "replace")) > self._longest:
            raise TooLarge(f"`content` is over the limit of {self._longest} bytes")
        scope = await self._scope(principal, asked.ai_uuid)
        said = Said(ai_uuid=asked.ai_uuid, content=asked.content, timestamp=self._now())
        plain = said.model_dump(mode="json")
        rooms = [room_of(scope), room_of(Scope(scope.user))]
        await self._io.emit("message", plain, to=rooms, skip_sid=sid)
        return "message", said

    async def _heartbeat(self, sid: str, _: Heartbeat) -> tuple[str, Payload]:
        await self._principal(sid, None)
        return "heartbeat", Beat(timestamp=self._now())

    def _teller(self, sid: str, scope: Scope) -> Callable[[Told], Awaitable[None]]:
        async def tell(told: Told) -> None:
            cursor = await self._services.cursors.told(scope, told.cursor)
            name, payload = shown(told, room_shown(scope), cursor)
            await self._io.emit(name, payload.model_dump(mode="json"), to=sid, ignore_queue=True)

        return tell

    async def _keep_to(self, sid: str, principal: Principal) -> None:
        """Take the socket out of the rooms that `principal` may not enter, and tell it so."""
        for hearer in list(self._seat(sid).rooms.values()):
            if not may_hear(principal, hearer.scope):
                await self._out_of(sid, hearer.scope)
                left = Left(room=room_shown(hearer.scope)).model_dump(mode="json")
                await self._io.emit("left", left, to=sid, ignore_queue=True)

    async def _out_of(self, sid: str, scope: Scope) -> None:
        seat = self._seat(sid)
        hearer = seat.rooms.pop(room_of(scope), None)
        if hearer:
            seat.joining = None if seat.joining is hearer else seat.joining
            self._services.listen.leave(hearer)
            await self._io.leave_room(sid, room_of(scope))

    def _seat(self, sid: str) -> Seat:
        seat = self._seats.get(sid)
        if seat is None:
            raise Unauthenticated("this socket is closed")
        return seat

    async def _principal(self, sid: str, permission: Permission | None) -> Principal:
        """Who this socket is now. Raises `Denied`."""
        seat = self._seat(sid)
        if seat.secret is None:
            raise Unauthenticated("say who you are first: `authenticate` with an `api_key`")
        principal = await self._services.access.principal(seat.secret)
        if permission is not None:
            principal.must(permission)
        return principal

    async def _scope(self, principal: Principal, ai: str | None) -> Scope:
        """Raises `NotFound` for an AI that is not the user's, whoever else's it is."""
        scope = principal.scope(ai)
        if scope.ai is not None:
            await self._services.ais.ai(scope.user, scope.ai)
        return scope

    def _now(self) -> datetime:
        return self._services.access.clock.now()

    async def _watch(self) -> None:
        """Send away who may no longer be there, who reads too slowly, and who stays unknown."""
        while True:
            await asyncio.sleep(RECHECK)
            for sid in list(self._seats):
                if not await self._may_stay(sid):
                    await self._send_away(sid)
            known = {seat.line for seat in self._seats.values() if seat.secret is not None}
            for line in self._lines.strange(known, PATIENCE):
                await self._lines.end(line)

    async def _may_stay(self, sid: str) -> bool:
        seat = self._seats.get(sid)
        if seat is None or seat.secret is None:
            return True
        if self._lines.overrun(seat.line):
            return False
        secret = seat.secret
        try:
            principal = await self._principal(sid, Permission.READ if seat.rooms else None)
            if seat.secret == secret:  # else it has just been looked at with another
                await self._keep_to(sid, principal)
        except Denied:
            return False
        except MemweaverError as error:
            log.warning("credentials of sockets cannot be checked: %s", error.code)
        return True

    async def _send_away(self, sid: str) -> None:
        """With its connection, which whoever is sent away might else keep."""
        seat = self._seats.get(sid)
        await self._io.disconnect(sid)
        if seat:
            await self._lines.end(seat.line)


def payload_of(name: str, given: tuple[object, ...]) -> Payload:
    """What came with an event. Raises `InvalidInput` if there is no such event."""
    if name not in ASKED:
        raise InvalidInput("`event`: there is no such event here")
    return ASKED[name].model_validate(given[0] if given else {})


def may_hear(principal: Principal, scope: Scope) -> bool:
    """Whether its present credential lets it be told what happens in `scope`."""
    try:
        principal.must(Permission.READ)
        return principal.scope(scope.ai) == scope
    except (Denied, NotFound):
        return False


def credential_in(auth: object) -> object:
    """What came with the connection: `api_key`, or `token` as other clients call it."""
    if isinstance(auth, dict) and "token" in auth:
        return {"api_key": auth["token"]}
    return auth
