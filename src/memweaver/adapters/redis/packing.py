"""From windows to bytes and back, through JSON and nothing that could run."""

import json
from datetime import datetime
from typing import Any

from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.scope import Scope
from memweaver.domain.working import Window
from memweaver.errors import InvalidInput

FORMAT = 1
"""Grows when the shape below changes: then older ones do not open, and are made again."""


def packed(window: Window) -> bytes:
    turns = [turn_to_json(turn) for turn in window.turns]
    kept = {"turns": turns, "summary": window.summary, "upto": window.upto, "seen": window.seen}
    try:
        return json.dumps(kept, allow_nan=False, separators=(",", ":")).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput("`metadata` must hold plain JSON values only") from error


def unpacked(user: str, clear: bytes) -> Window:
    kept = json.loads(clear)
    turns = tuple(turn_from_json(user, turn) for turn in kept["turns"])
    return Window(turns, kept["summary"], kept["upto"], kept["seen"])


def turn_to_json(turn: Turn) -> dict[str, Any]:
    return {
        "id": turn.id,
        "ai": turn.scope.ai,
        "session": turn.session,
        "at": turn.at.isoformat(),
        "recorded_at": turn.recorded_at.isoformat(),
        "messages": [[message.role, message.text, message.name] for message in turn.messages],
        "metadata": dict(turn.metadata),
    }


def turn_from_json(user: str, kept: dict[str, Any]) -> Turn:
    return Turn(
        id=kept["id"],
        scope=Scope(user, kept["ai"]),
        session=kept["session"],
        at=datetime.fromisoformat(kept["at"]),
        recorded_at=datetime.fromisoformat(kept["recorded_at"]),
        messages=tuple(Message(Role(role), text, name) for role, text, name in kept["messages"]),
        metadata=kept["metadata"],
    )
