"""The shapes on the wire: what a socket may send, and what it is told."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints

from memweaver.domain.event import Event, EventKind, Told
from memweaver.domain.memory import ALIASES, Tier

LITERAL_TYPES = ("working_memory", "long_term_memory", "personal_logs")
"""The names by which tiers go where assistants speak of the type of a memory."""

Secret = Annotated[str, StringConstraints(min_length=1, max_length=8192)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class Payload(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Authenticate(Payload):
    """Sent first, unless the credential came with the connection as `auth`."""

    api_key: Secret
    """An API key or a token."""


class Join(Payload):
    """Enter the room of an AI, or of all of the user's without one."""

    ai_uuid: Name | None = None
    """One of the user's own AIs."""
    cursor: Annotated[str, StringConstraints(max_length=512)] | None = None
    """The last one heard of the same room, here or elsewhere: what came after it is told first."""


class Leave(Payload):
    ai_uuid: Name | None = None


class Message(Payload):
    """Words for whoever is in the room; they are kept nowhere."""

    ai_uuid: Name
    content: str
    """At most 64 KB, or what `MEMWEAVER_SERVER__MESSAGE` says."""


class Heartbeat(Payload):
    """A sign of life, which is answered."""


class Authenticated(Payload):
    status: Literal["ok"] = "ok"


class Joined(Payload):
    room: str
    """The AI, or `*` for all of the user's."""
    cursor: str
    """From where events are told."""
    missed: bool = False
    """Whether some that came before `cursor` may be forgotten: read anew what you show."""


class Left(Payload):
    room: str


class Said(Payload):
    ai_uuid: str
    content: str
    timestamp: datetime


class Happened(Payload):
    """What is common to all that happens."""

    ai_uuid: str | None
    timestamp: datetime
    room: str
    """Where it is told: who is in two rooms that it concerns is told in both."""
    number: int
    """The same in every room, and larger than that of whatever happened to the user before."""
    cursor: str
    """To be given when joining this room again."""


class MemoryUpdate(Happened):
    memory_id: str
    memory_type: str
    action: Literal["create", "edit", "delete", "move"]


class Reflection(Happened):
    """How an attempt to reflect upon a turn ended; `retried` means that it will be tried again."""

    job_id: str
    status: Literal["done", "retried", "dead"]


class TurnRecorded(Happened):
    turn_id: str


class Beat(Payload):
    timestamp: datetime


class Refused(Payload):
    """What went wrong with what was sent last."""

    code: str
    message: str
    field: str | None = None


ACTIONS: Mapping[EventKind, Literal["create", "edit", "delete", "move"]] = {
    EventKind.MEMORY_ADDED: "create",
    EventKind.MEMORY_REVISED: "edit",
    EventKind.MEMORY_MOVED: "move",
    EventKind.MEMORY_CLOSED: "delete",
    EventKind.MEMORY_ERASED: "delete",
}
ENDS: Mapping[EventKind, Literal["done", "retried", "dead"]] = {
    EventKind.JOB_DONE: "done",
    EventKind.JOB_RETRIED: "retried",
    EventKind.JOB_DEAD: "dead",
}

ASKED: Mapping[str, type[Payload]] = {
    "authenticate": Authenticate,
    "join": Join,
    "leave": Leave,
    "message": Message,
    "heartbeat": Heartbeat,
}
TOLD: Mapping[str, type[Payload]] = {
    "authenticated": Authenticated,
    "joined": Joined,
    "left": Left,
    "message": Said,
    "memory_update": MemoryUpdate,
    "reflection": Reflection,
    "turn_recorded": TurnRecorded,
    "heartbeat": Beat,
    "error": Refused,
}
SCHEMAS: Mapping[str, Mapping[str, type[Payload]]] = {"send": ASKED, "receive": TOLD}
"""Every event by its name, as a client sees them."""


def shown(told: Told, room: str, cursor: str) -> tuple[str, Payload]:
    """The name of the event on the wire, and what goes with it."""
    event = told.event
    common: dict[str, Any] = {
        "ai_uuid": event.scope.ai,
        "timestamp": event.at,
        "room": room,
        "number": told.number,
        "cursor": cursor,
    }
    if event.kind in ENDS:
        return "reflection", Reflection(job_id=event.id, status=ENDS[event.kind], **common)
    if event.kind in ACTIONS:
        memory_type, action = type_of(event), ACTIONS[event.kind]
        common |= {"memory_id": event.id, "memory_type": memory_type}
        return "memory_update", MemoryUpdate(action=action, **common)
    return "turn_recorded", TurnRecorded(turn_id=event.id, **common)


def type_of(event: Event) -> str:
    tier = event.tier or Tier.SEMANTIC
    return next((name for name in LITERAL_TYPES if tier in ALIASES[name]), tier.value)
