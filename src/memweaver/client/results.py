"""What a server answers, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Generic, TypeVar

from pydantic import Field, JsonValue

from memweaver.domain.conversation import Message
from memweaver.domain.event import EventKind
from memweaver.domain.job import Reflection as Progress
from memweaver.domain.job import State
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Authority, Origin
from memweaver.domain.permissions import AiPermissions
from memweaver.domain.principal import Permission
from memweaver.domain.search import Kind

Item = TypeVar("Item")
Json = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    items: tuple[Item, ...]
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """What was heard and said."""

    id: str
    ai: str | None
    session: str
    at: datetime
    recorded_at: datetime
    messages: tuple[Message, ...]
    metadata: Json


@dataclass(frozen=True, slots=True)
class RecordedTurn(Turn):
    """A turn just kept; `reflection` is its job, to ask about, `None` if it left none."""

    reflection: str | None
    status: Progress


@dataclass(frozen=True, slots=True)
class Reflection:
    """How far the reflection of a turn is."""

    job_id: str
    ai: str | None
    state: State
    priority: str
    attempts: int
    failures: int
    code: str | None
    created_at: datetime
    due_at: datetime | None
    away_since: datetime | None
    settled_at: datetime | None


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory; `revision` is what `expected` of a change is compared with."""

    id: str
    revision: int
    ai: str | None
    tier: Tier
    key: str | None
    text: str
    origin: Origin
    authority: Authority
    quarantined: bool
    importance: float
    confidence: float
    known_from: datetime
    known_to: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    supersedes: str | None
    sources: tuple[str, ...]
    metadata: Json


@dataclass(frozen=True, slots=True)
class Hit:
    """A record found. `score` compares hits of one answer only, `cosine` across answers."""

    kind: Kind
    id: str
    revision: int
    ordinal: int
    text: str
    speaker: str | None
    session: str | None
    tier: Tier | None
    origin: Origin
    at: datetime
    score: float
    cosine: float | None
    explanation: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Recollection:
    """Hits, best first, and the block to put before an assistant."""

    hits: tuple[Hit, ...]
    context: str
    by_meaning: bool


@dataclass(frozen=True, slots=True)
class Health:
    status: str
    parts: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a model said; `body` is the whole answer as it came."""

    text: str
    body: Json


@dataclass(frozen=True, slots=True)
class Login:
    token: str = field(repr=False)
    name: str


@dataclass(frozen=True, slots=True)
class Me:
    """Whom a credential stands for, and what it may do; `ai` is the only one it is for, if any."""

    user: str
    organisation: str
    permissions: frozenset[Permission]
    ai: str | None
    name: str | None = None
    email: str | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """An API key, without its secret; `realm` is of a service's: whose end users it acts for."""

    id: str
    label: str
    permissions: frozenset[Permission]
    ai: str | None
    realm: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A new key with its secret, which is not shown again."""

    key: Key
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class User:
    """An account."""

    user: str
    name: str
    email: str
    organisation: str
    role: str
    created_at: datetime
    disabled_at: datetime | None


@dataclass(frozen=True, slots=True)
class Deed:
    """Who did what to whom."""

    at: datetime
    actor: str
    action: str
    subject: str


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation that has a name; `id` is what a turn names as its session."""

    id: str
    ai: str | None
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Relation:
    """Who is what to whom; `id` is that of the memory."""

    id: str
    subject: str
    subject_type: str
    predicate: str
    object: str
    object_type: str
    confidence: float
    last_confirmed_at: datetime


@dataclass(frozen=True, slots=True)
class Job:
    """A reflection as whoever runs the house sees it."""

    job_id: str
    user: str
    ai: str | None
    state: State
    attempts: int
    failures: int
    code: str | None
    created_at: datetime
    settled_at: datetime | None


@dataclass(frozen=True, slots=True)
class Ai:
    """One of a user's assistants; `id` is what other requests name as `ai`."""

    id: str
    name: str
    created_at: datetime
    permissions: AiPermissions


@dataclass(frozen=True, slots=True)
class SessionData:
    ai_name: str
    ai_uuid: str
    created_at: datetime
    session_id: str
    internet_access: str
    tools: tuple[str, ...]
    notes: str


@dataclass(frozen=True, slots=True)
class Handshake:
    """A new AI, with a session to begin with and the names of its collections by memory type."""

    message: str
    session: Annotated[SessionData, Field(alias="sessionData")]
    paths: Annotated[Mapping[str, str], Field(alias="dbPaths")]


@dataclass(frozen=True, slots=True)
class Event:
    """What happened; `id` names the turn, memory or job it happened to."""

    kind: EventKind
    id: str
    ai: str | None
    tier: Tier | None
    at: datetime
    cursor: str


@dataclass(frozen=True, slots=True)
class Happened:
    """Events, oldest first. `cursor` is what to ask with next; some may be `missed` by then."""

    items: tuple[Event, ...]
    cursor: str
    missed: bool


@dataclass(frozen=True, slots=True)
class EventSchemas:
    """The JSON schema of every event of a socket by its name."""

    send: Mapping[str, Json]
    receive: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Webhook:
    """One that is `unreadable` is told nothing any more: remove it, and add it anew."""

    id: str
    url: str
    kinds: frozenset[EventKind]
    ai: str | None
    created_at: datetime
    unreadable: bool = False


@dataclass(frozen=True, slots=True)
class MadeWebhook:
    """A new webhook with the secret it is signed with, which is not shown again."""

    webhook: Webhook
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Undelivered:
    """An event that a webhook could not be told, and why."""

    event: Event
    attempts: int
    at: datetime
    failure: str
