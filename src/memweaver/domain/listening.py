"""Hears what a model says while it is passed on, whole or in pieces, and never minds what it hears.

What is passed on is not touched here. What cannot be understood is not heard, and that is all.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

LONGEST = 8 * 1024 * 1024
"""Bytes that are listened to; whoever speaks longer is passed on unheard from there."""
MOST_TOKENS = 10**9
"""That a count may name: more than any model reads or writes, and no more than a figure holds."""


@dataclass(slots=True)
class Spoken:
    """What has been said so far, by the first choice of an answer."""

    words: list[str] = field(default_factory=list[str])
    ended: str | None = None
    """Why it ended, as the model tells; `None` while it has not."""
    calls: bool = False
    """Whether tools are called: then the turn may go on with what they answer."""
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def text(self) -> str:
        return "".join(self.words)

    def hear(self, answer: object) -> None:
        """One JSON value of an answer: the whole, or one event of many."""
        if not isinstance(answer, dict):
            return
        for choice in answer.get("choices") or () if is_list(answer.get("choices")) else ():
            if isinstance(choice, dict) and choice.get("index", 0) == 0:
                self._choice(choice)
        if isinstance(usage := answer.get("usage"), dict):
            self.tokens_in = count(usage.get("prompt_tokens")) or self.tokens_in
            self.tokens_out = count(usage.get("completion_tokens")) or self.tokens_out

    def _choice(self, choice: Mapping[str, Any]) -> None:
        said = choice.get("delta") or choice.get("message")
        if isinstance(said, dict):
            if isinstance(said.get("content"), str):
                self.words.append(said["content"])
            self.calls = self.calls or bool(said.get("tool_calls") or said.get("function_call"))
        if isinstance(ended := choice.get("finish_reason"), str):
            self.ended = ended


class Listener(Protocol):
    spoken: Spoken

    def hear(self, piece: bytes) -> None:
        """The next bytes as they came; never fails."""
        ...

    def end(self) -> None:
        """Nothing more will come."""
        ...


class ToWhole(Listener):
    """Listens to an answer that is one JSON object."""

    def __init__(self) -> None:
        self.spoken = Spoken()
        self._heard = bytearray()

    def hear(self, piece: bytes) -> None:
        if len(self._heard) <= LONGEST:
            self._heard += piece

    def end(self) -> None:
        self.spoken.hear(json_or_nothing(bytes(self._heard)))
        self._heard.clear()


class ToEvents(Listener):
    """Listens to events as servers send them: lines, of which those with `data:` speak."""

    def __init__(self) -> None:
        self.spoken = Spoken()
        self._rest = b""
        self._left = LONGEST

    def hear(self, piece: bytes) -> None:
        self._left -= len(piece)
        if self._left < 0:
            self._rest = b""
            return
        *lines, self._rest = (self._rest + piece).replace(b"\r", b"\n").split(b"\n")
        for line in lines:
            self._line(line)

    def end(self) -> None:
        self._line(self._rest)
        self._rest = b""

    def _line(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self.spoken.hear(json_or_nothing(line[5:]))


def listener_for(content_type: str) -> Listener:
    return ToEvents() if content_type.startswith("text/event-stream") else ToWhole()


def json_or_nothing(content: bytes) -> object:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def is_list(value: object) -> bool:
    return isinstance(value, list)


def count(told: object) -> int:
    return told if type(told) is int and 0 <= told <= MOST_TOKENS else 0
