"""What happened, told to whoever listens: names, never contents."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memweaver.domain.scope import Scope


class EventKind(StrEnum):
    TURN_RECORDED = "turn.recorded"
    MEMORY_ADDED = "memory.added"
    MEMORY_REVISED = "memory.revised"
    MEMORY_CLOSED = "memory.closed"
    MEMORY_ERASED = "memory.erased"
    JOB_DONE = "job.done"
    JOB_RETRIED = "job.retried"
    JOB_DEAD = "job.dead"


@dataclass(frozen=True, slots=True)
class Event:
    """`id` names the turn, memory or job it happened to."""

    kind: EventKind
    scope: Scope
    id: str
    at: datetime
