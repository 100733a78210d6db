"""Events and webhooks as they travel: names and times, never contents."""

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, Field, JsonValue

from memweaver.domain.event import EventKind, Told
from memweaver.domain.memory import Tier
from memweaver.domain.webhook import GivenUp, Webhook
from memweaver.interfaces.rest.wire.fields import AiName, Body, Spelt, Wire

EVENT: dict[str, JsonValue] = {
    "kind": "memory.added",
    "id": "019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d11",
    "ai": None,
    "tier": "semantic",
    "at": "2026-05-01T09:30:00Z",
    "cursor": "1.mC0vJ5bXGf7yQ0h1o3l2Kg",
}
WEBHOOK: dict[str, JsonValue] = {
    "id": "019f2f6e-8d5c-7a51-9d39-3f1c1f0e7d12",
    "url": "https://example.com/memory",
    "kinds": ["memory.added"],
    "ai": None,
    "created_at": "2026-05-01T09:30:00Z",
    "unreadable": False,
}
FAILURE: dict[str, JsonValue] = {
    "event": EVENT,
    "attempts": 8,
    "at": "2026-05-01T12:00:00Z",
    "failure": "it answered 500",
}
Url = Annotated[str, Field(min_length=1, max_length=2048, description="http or https")]
Kinds = Annotated[
    list[Spelt[EventKind]], Field(max_length=32, description="All, if none are named")
]


class EventsQuery(Wire):
    ai: AiName = None
    cursor: Annotated[
        str | None,
        Field(
            max_length=512,
            description="The last one that was answered here, or told by socket or webhook, about "
            "the same `ai`",
        ),
    ] = None
    limit: Annotated[int, Field(ge=1, le=500)] = 100


class EventAnswer(Wire):
    model_config = ConfigDict(json_schema_extra={"examples": [EVENT]})

    kind: EventKind
    id: Annotated[str, Field(description="The turn, memory or job it happened to")]
    ai: str | None
    tier: Tier | None
    at: datetime
    cursor: str

    @classmethod
    def of(cls, told: Told, cursor: str) -> "EventAnswer":
        event = told.event
        return cls(
            kind=event.kind,
            id=event.id,
            ai=event.scope.ai,
            tier=event.tier,
            at=event.at,
            cursor=cursor,
        )


class EventsAnswer(Wire):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"items": [EVENT], "cursor": "1.mC0vJ5bXGf7yQ0h1o3l2Kg", "missed": False}]
        }
    )

    items: list[EventAnswer]
    cursor: Annotated[str, Field(description="What to ask with next time")]
    missed: Annotated[bool, Field(description="Whether older ones may be forgotten already")]


class NewWebhook(Body):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"url": "https://example.com/memory", "kinds": ["memory.added"]}]
        }
    )

    url: Url
    kinds: Kinds = Field(default_factory=list)
    ai: AiName = None


class WebhookAnswer(Wire):
    model_config = ConfigDict(json_schema_extra={"examples": [WEBHOOK]})

    id: str
    url: str
    kinds: list[EventKind]
    ai: str | None
    created_at: datetime
    unreadable: Annotated[
        bool,
        Field(description="Whether nobody can tell `url` and `kinds` any more: add it anew"),
    ]

    @classmethod
    def of(cls, webhook: Webhook) -> "WebhookAnswer":
        return cls(
            id=webhook.id,
            url=webhook.url,
            kinds=sorted(webhook.kinds),
            ai=webhook.scope.ai,
            created_at=webhook.created_at,
            unreadable=webhook.unreadable,
        )


class MadeWebhook(Wire):
    model_config = ConfigDict(
        json_schema_extra={"examples": [{"webhook": WEBHOOK, "secret": "whsec_…"}]}
    )

    webhook: WebhookAnswer
    secret: Annotated[str, Field(description="What it is signed with; shown now and never again")]


class WebhooksAnswer(Wire):
    items: list[WebhookAnswer]


class FailureAnswer(Wire):
    model_config = ConfigDict(json_schema_extra={"examples": [FAILURE]})

    event: EventAnswer
    attempts: int
    at: datetime
    failure: str

    @classmethod
    def of(cls, loss: GivenUp, cursor: str) -> "FailureAnswer":
        return cls(
            event=EventAnswer.of(loss.told, cursor),
            attempts=loss.attempts,
            at=loss.at,
            failure=loss.failure,
        )


class FailuresAnswer(Wire):
    items: list[FailureAnswer]
