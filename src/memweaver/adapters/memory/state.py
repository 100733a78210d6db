"""All there is in the process, and the rules that every change of it keeps."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import count
from secrets import token_bytes
from typing import Generic, TypeVar

from memweaver.adapters.memory.lane import Lane
from memweaver.domain.account import Account
from memweaver.domain.conversation import Metadata, Turn
from memweaver.domain.event import Event, Told
from memweaver.domain.memory import Memory
from memweaver.domain.search import Kind, Ref
from memweaver.domain.webhook import GivenUp, Webhook
from memweaver.domain.working import Window
from memweaver.errors import InvalidInput
from memweaver.ports.access import ApiKey
from memweaver.ports.audit import Deed
from memweaver.ports.changes import Segment, Vectors
from memweaver.ports.registry import Ai
from memweaver.ports.replies import Reply
from memweaver.ports.secrets import Secret
from memweaver.ports.sessions import Session

Value = TypeVar("Value", Turn, Memory)
Talk = tuple[str | None, str]
"""The AI a session is with, if with one, and its name."""


@dataclass(slots=True)
class Entry(Generic[Value]):
    """A turn or one revision of a memory.

    `held_at` are all versions it ever had, those of its vectors included.
    """

    ref: Ref
    value: Value
    serial: int
    version: int
    held_at: list[int]
    vectors: Vectors | None = None
    embedded_at: int = 0


@dataclass(frozen=True, slots=True)
class Answered:
    """A request that came with a key: since when, and its reply once there is one."""

    request: bytes
    at: datetime
    reply: Reply | None = None


@dataclass(slots=True)
class Hook:
    """A webhook, and how far it is."""

    webhook: Webhook
    told: int
    due_at: datetime
    attempts: int = 0
    leased_until: datetime | None = None
    given_up: list[GivenUp] = field(default_factory=list[GivenUp])

    def tried(self, told: Told) -> int:
        """How often: what is counted is of the one event right behind what it was told."""
        return self.attempts if told.number == self.told + 1 else 0


@dataclass(slots=True)
class User:
    """What one user has. Every change takes the next version."""

    epoch: str
    version: int = 0
    erased_at: int = 0
    turns: dict[str, Entry[Turn]] = field(default_factory=dict[str, Entry[Turn]])
    memories: dict[str, list[Entry[Memory]]] = field(default_factory=dict[str, list[Entry[Memory]]])
    erased: dict[Ref, int] = field(default_factory=dict[Ref, int])
    segments: list[Segment] = field(default_factory=list[Segment])
    ais: dict[str, Ai] = field(default_factory=dict[str, Ai])
    lane: Lane = field(default_factory=Lane)
    windows: dict[Talk, Window] = field(default_factory=dict[Talk, Window])
    sessions: dict[str, tuple[int, Session]] = field(default_factory=dict[str, tuple[int, Session]])
    replies: dict[str, Answered] = field(default_factory=dict[str, Answered])
    told: list[Told] = field(default_factory=list[Told])
    webhooks: dict[str, Hook] = field(default_factory=dict[str, Hook])
    index_key: bytes = field(default_factory=partial(token_bytes, 32), repr=False)

    def next_version(self) -> int:
        self.version += 1
        return self.version

    def revisions(self) -> list[Entry[Memory]]:
        return [one for every in self.memories.values() for one in every]

    def entry(self, ref: Ref) -> Entry[Turn] | Entry[Memory] | None:
        if ref.kind is Kind.TURN:
            return self.turns.get(ref.id)
        return next((one for one in self.memories.get(ref.id, []) if one.ref == ref), None)

    def kept(self, ref: Ref, value: Value, *, serial: int | None = None) -> Entry[Value]:
        version = self.next_version()
        self.erased.pop(ref, None)
        return Entry(ref, value, serial or version, version, [version])

    def change(self, entry: Entry[Memory], value: Memory) -> None:
        entry.value, entry.version = value, self.next_version()
        entry.held_at.append(entry.version)

    def embed(self, entry: Entry[Turn] | Entry[Memory], vectors: Vectors) -> None:
        entry.vectors, entry.embedded_at = vectors, self.next_version()
        entry.held_at.append(entry.embedded_at)

    def bury(self, entries: Sequence[Entry[Value]]) -> None:
        """Say that `entries` are gone, and drop every segment that may hold something of them."""
        versions = {version for entry in entries for version in entry.held_at}
        self.segments = [
            segment
            for segment in self.segments
            if not any(segment.after < version <= segment.upto for version in versions)
        ]
        for entry in entries:
            self.erased[entry.ref] = self.erased_at = self.next_version()


@dataclass(slots=True)
class State:
    users: dict[str, User] = field(default_factory=dict[str, User])
    access_keys: dict[str, ApiKey] = field(default_factory=dict[str, ApiKey])
    revoked_tokens: dict[str, datetime] = field(default_factory=dict[str, datetime])
    accounts: dict[str, Account] = field(default_factory=dict[str, Account])
    secrets: dict[str, list[Secret]] = field(default_factory=dict[str, list[Secret]])
    audit: list[Deed] = field(default_factory=list[Deed])
    epochs: "count[int]" = field(default_factory=count)
    numbers: "count[int]" = field(default_factory=partial(count, 1))
    event_numbers: "count[int]" = field(default_factory=partial(count, 1))

    def begun(self, user: str) -> User:
        """What `user` has; somebody new begins with nothing."""
        if user not in self.users:
            self.users[user] = User(epoch=str(next(self.epochs)))
        return self.users[user]

    def tell(self, event: Event) -> None:
        """Keep an event of a user who is there."""
        self.users[event.scope.user].told.append(Told(next(self.event_numbers), event))


def plain(metadata: Metadata) -> Metadata:
    """`metadata` as it comes back after being kept, and no longer the caller's to change."""
    try:
        kept: Metadata = json.loads(json.dumps(dict(metadata), allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput("`metadata` must hold plain JSON values only") from error
    return kept
