"""From values to rows and back; what is private goes through JSON into the sealed body."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from struct import Struct
from typing import Any

from sqlalchemy import Row

from memweaver.adapters.sql.keyring import UserKey
from memweaver.domain.conversation import Message, Metadata, Role, Turn
from memweaver.domain.memory import Memory, Tier, Validity, Vector
from memweaver.domain.origin import Authority, Origin
from memweaver.domain.scope import Scope
from memweaver.errors import InvalidInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

LENGTH = Struct("<I")

Values = Mapping[str, Any]

written = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
"""Any text included: lone surrogates, which people do paste, survive."""


def values(row: Row[Any]) -> Values:
    """A stored row by the names of its columns."""
    return row._asdict()


def micros(time: datetime) -> int:
    return (time - EPOCH) // MICROSECOND


def micros_or_none(time: datetime | None) -> int | None:
    return None if time is None else micros(time)


def time(micros: int) -> datetime:
    return EPOCH + timedelta(microseconds=micros)


def time_or_none(micros: int | None) -> datetime | None:
    return None if micros is None else time(micros)


def packed(private: object) -> bytes:
    try:
        text = written(private)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput("`metadata` must hold plain JSON values only") from error
    return text.encode("utf-8", "surrogatepass")


def unpacked(clear: bytes) -> Any:
    return json.loads(clear.decode("utf-8", "surrogatepass"))


def plain(metadata: Metadata) -> Any:
    """`metadata` as it comes back after being kept."""
    return unpacked(packed(dict(metadata)))


def turn_to_row(turn: Turn, version: int, key: UserKey) -> Values:
    """All columns but the sealed one and its key."""
    return {
        "owner": turn.scope.user,
        "id": turn.id,
        "ai": turn.scope.ai,
        "version": version,
        "at": micros(turn.at),
        "recorded_at": micros(turn.recorded_at),
        "session": key.blind("session", turn.session),
        "embedded_by": None,
    }


def turn_to_body(turn: Turn) -> bytes:
    messages = [[message.role, message.text, message.name] for message in turn.messages]
    return packed({"session": turn.session, "messages": messages, "metadata": dict(turn.metadata)})


def turn_from_row(row: Any, body: bytes) -> Turn:
    private = unpacked(body)
    return Turn(
        id=row.id,
        scope=Scope(row.owner, row.ai),
        session=private["session"],
        at=time(row.at),
        recorded_at=time(row.recorded_at),
        messages=tuple(Message(Role(role), text, name) for role, text, name in private["messages"]),
        metadata=private["metadata"],
    )


def memory_to_row(memory: Memory, serial: int, version: int, key: UserKey) -> Values:
    """All columns but the sealed one and its key."""
    return {
        "owner": memory.scope.user,
        "id": memory.id,
        "revision": memory.revision,
        "ai": memory.scope.ai,
        "serial": serial,
        "version": version,
        "tier": memory.tier,
        "origin": memory.origin,
        "authority": memory.authority,
        "importance": memory.importance,
        "confidence": memory.confidence,
        "known_from": micros(memory.validity.known_from),
        "known_to": micros_or_none(memory.validity.known_to),
        "valid_from": micros_or_none(memory.validity.valid_from),
        "valid_to": micros_or_none(memory.validity.valid_to),
        "supersedes": memory.supersedes,
        "core_key": None if memory.key is None else key.blind("core_key", memory.key),
        "embedded_by": None,
        "quarantined": memory.quarantined,
        "fingerprint": key.fingerprint(memory.words),
        "attribute": blind_attribute(memory, key),
    }


def blind_attribute(memory: Memory, key: UserKey) -> bytes | None:
    attribute = memory.metadata.get("attribute")
    return key.blind("attribute", attribute) if isinstance(attribute, str) else None


def memory_to_body(memory: Memory) -> bytes:
    return packed(
        {
            "text": memory.text,
            "key": memory.key,
            "sources": memory.sources,
            "metadata": dict(memory.metadata),
        }
    )


def memory_from_row(row: Row[Any], body: bytes) -> Memory:
    private = unpacked(body)
    return Memory(
        id=row.id,
        scope=Scope(row.owner, row.ai),
        tier=Tier(row.tier),
        text=private["text"],
        validity=Validity(
            known_from=time(row.known_from),
            known_to=time_or_none(row.known_to),
            valid_from=time_or_none(row.valid_from),
            valid_to=time_or_none(row.valid_to),
        ),
        revision=row.revision,
        key=private["key"],
        origin=Origin(row.origin),
        authority=Authority(row.authority),
        importance=row.importance,
        confidence=row.confidence,
        supersedes=row.supersedes,
        sources=tuple(private["sources"]),
        metadata=private["metadata"],
        quarantined=row.quarantined,
    )


def vectors_to_body(vectors: tuple[Vector, ...]) -> bytes:
    return b"".join(LENGTH.pack(len(vector)) + vector for vector in vectors)


def vectors_from_body(body: bytes) -> tuple[Vector, ...]:
    found, start = [], 0
    while start < len(body):
        (length,) = LENGTH.unpack_from(body, start)
        start += LENGTH.size
        found.append(body[start : start + length])
        start += length
    return tuple(found)
