"""The ways in which a model's answer goes wrong, each as a server would give it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Fault:
    """An HTTP status with the model's words, or with a body of its own; or no answer at all."""

    status: int = 200
    text: str | None = None
    body: object = None
    cut: bool = False
    refused: bool = False
    hangs_up: bool = False
    stalls: bool = False
    trickles: bool = False
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


TEN_MEGABYTES = 10 * 1024 * 1024

FAULTS: Mapping[str, Fault] = {
    "empty": Fault(text=""),
    "cut": Fault(text='{"memories": [{"turn": 1, "text": "User li', cut=True),
    "not_json": Fault(text="{memories = User lives in Oslo}"),
    "wrong_schema": Fault(text='{"memories": [{"turn": "soon", "text": 7}]}'),
    "prose": Fault(text="Sure! I would remember that the user lives in Oslo."),
    "large": Fault(text="la " * (TEN_MEGABYTES // 3)),
    "refusal": Fault(refused=True),
    "no_message": Fault(body={"choices": [], "message": None}),
    "not_an_answer": Fault(body="<html>Welcome to the hotel</html>"),
    "busy": Fault(429, body={"error": {"code": "rate_limit_exceeded"}}),
    "busy_for_long": Fault(
        429, body={"error": {"code": "rate_limit_exceeded"}}, headers={"Retry-After": "120"}
    ),
    "no_credit": Fault(429, body={"error": {"code": "insufficient_quota"}}),
    "broken": Fault(500, body={"error": {"message": "internal"}}),
    "overloaded": Fault(503, body="try later"),
    "wrong_key": Fault(401, body={"error": {"code": "invalid_api_key"}}),
    "no_model": Fault(404, body={"error": {"code": "model_not_found"}}),
    "bad_request": Fault(400, body={"error": {"code": "context_length_exceeded"}}),
    "hang_up": Fault(hangs_up=True),
    "stall": Fault(stalls=True),
    "trickle": Fault(trickles=True, body=" " * 1000),
}

PASSING: Sequence[str] = (
    *("empty", "cut", "not_json", "wrong_schema", "prose", "large", "no_message"),
    *("not_an_answer", "busy", "broken", "overloaded", "hang_up"),
)
"""Faults after which the same question may well be answered."""
