"""The bus between several servers: it carries messages to rooms, as JSON, and nothing else."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import socketio
from pydantic import BaseModel, Field, StringConstraints, ValidationError

from memweaver.interfaces.socketio.wire import Said

CHANNEL = "memweaver:sockets"
PATIENCE = 1.0
"""Seconds to wait for a connection to Redis."""

log = logging.getLogger(__name__)

Room = Annotated[str, StringConstraints(pattern=r"^[^\n]+\n[^\n]+$")]


class Relayed(BaseModel):
    """What another server may have rooms of ours told; what else is named is left aside."""

    event: Literal["message"]
    data: Annotated[list[Said], Field(min_length=1, max_length=1)]
    room: Annotated[list[Room], Field(min_length=1, max_length=2)]
    skip_sid: str | None = None


class Bus(socketio.AsyncRedisManager):  # type: ignore[misc] # the library has no types
    """Whoever can write to Redis can have a room told a message, and do nothing more.

    The library would also move and disconnect sockets when told to, and tell everybody at once.
    """

    def __init__(self, url: str) -> None:
        options = {"socket_connect_timeout": PATIENCE}
        super().__init__(url, channel=CHANNEL, redis_options=options)

    async def aclose(self) -> None:
        """The library leaves its listener and its connections behind."""
        if listener := getattr(self, "thread", None):
            listener.cancel()
            await asyncio.wait([listener])
        if self.redis:
            await self.pubsub.aclose()
            await self.redis.aclose()

    def _redis_connect(self) -> None:
        """Once: what is made here connects anew by itself, and a second one would be forgotten."""
        if self.redis is None:
            super()._redis_connect()
        self.connected = True

    async def _handle_emit(self, message: Mapping[str, Any]) -> None:
        try:
            heard = Relayed.model_validate(message)
        except ValidationError:
            log.warning("something else than a message came by Redis: it is left aside")
            return
        plain = heard.model_dump(mode="json")
        await super()._handle_emit({**plain, "namespace": "/"})

    async def _aside(self, _: Mapping[str, Any]) -> None:
        log.warning("something else than a message came by Redis: it is left aside")

    _handle_disconnect = _handle_enter_room = _handle_leave_room = _aside
    _handle_close_room = _handle_callback = _aside
