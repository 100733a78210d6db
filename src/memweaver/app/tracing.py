"""Traces: what is timed becomes a span, by wrapping the ports that see it happen."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace

from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.types import Message as Told

from memweaver.adapters.http.endpoint import checked_url
from memweaver.adapters.otel import Attributes, Carrier, Spans, open_spans
from memweaver.app.house_sections import TraceSettings
from memweaver.domain.conversation import Message
from memweaver.domain.job import Job
from memweaver.domain.memory import Vector
from memweaver.errors import ConfigurationError
from memweaver.ports.doorbell import Doorbell
from memweaver.ports.meter import Figures, Meter
from memweaver.ports.models import ChatModel, Completion, Embedder, Schema
from memweaver.ports.queue import Claim
from memweaver.services import Services
from memweaver.services.reflect.reflect import Outcome, Reflect

SERVER_ERROR = 500
PARENT = "traceparent"
"""The header that says where in a trace its sender is."""


@contextmanager
def open_tracing(settings: TraceSettings) -> Generator[Spans | None]:
    """What the settings name, or nothing, and then nothing of it is loaded."""
    if not settings.url:
        yield None
        return
    checked_url(settings.url, "traces'")
    headers = pairs(settings.headers.get_secret_value())
    with open_spans(settings.url, headers, settings.share) as spans:
        yield spans


def pairs(text: str) -> Mapping[str, str]:
    """Raises `ConfigurationError`."""
    given = [one.partition("=") for one in text.split(",") if one.strip()]
    if not all(name.strip() and equals for name, equals, _ in given):
        raise ConfigurationError("MEMWEAVER_TRACE__HEADERS must be name=value pairs with commas")
    return {name.strip().lower(): value.strip() for name, _, value in given}


class TracedRequests:
    """A span for every request, below the caller's own if it sends a `traceparent`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        spans = spans_of(scope)
        if scope["type"] != "http" or spans is None:
            await self._app(scope, receive, send)
            return
        status = 0

        async def send_and_note(message: Told) -> None:
            nonlocal status
            status = int(message.get("status", status))
            await send(message)

        with spans.within("request", {}, after=carried(scope), served=True) as span:
            await self._app(scope, receive, send_and_note)
            route = getattr(scope.get("route"), "path", "") or ""
            told: Attributes = {
                "http.request.method": scope["method"],
                "http.route": route,
                "http.response.status_code": status,
            }
            span.tell(f"{scope['method']} {route}", told, failed=status >= SERVER_ERROR)


def spans_of(scope: Scope) -> Spans | None:
    """Those that the services' figures become, if they do."""
    services = scope.get("state", {}).get("services")
    figures = services.watch.figures if isinstance(services, Services) else None
    return figures.spans if isinstance(figures, TracedFigures) else None


def carried(scope: Scope) -> Carrier | None:
    for name, value in scope["headers"]:
        if name == PARENT.encode():
            return {PARENT: value.decode("latin-1")}
    return None


@dataclass(frozen=True, slots=True)
class TracedFigures(Figures):
    """Whatever takes time is a span as well: keeping, recalling, stages, calls of a model."""

    inner: Figures
    spans: Spans

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        self.inner.count(name, amount, **labels)

    def time(self, name: str, seconds: float, **labels: str) -> None:
        self.inner.time(name, seconds, **labels)
        if name not in UNTRACED:
            about = {f"memweaver.{label}": value for label, value in labels.items()}
            self.spans.past(called(name, labels), seconds, about)

    def level(self, name: str, value: float, **labels: str) -> None:
        self.inner.level(name, value, **labels)

    def here(self) -> str | None:
        return self.spans.here().get(PARENT)

    def page(self) -> str:
        return self.inner.page()


UNTRACED = frozenset({"requests_seconds", "model_seconds", "job_seconds"})
"""Those that are spans of their own already, and one that is mostly waiting."""


def called(name: str, labels: Mapping[str, str]) -> str:
    return " ".join([name.removesuffix("_seconds"), *labels.values()])


@dataclass(frozen=True, slots=True)
class TracedChat(ChatModel):
    inner: ChatModel
    spans: Spans

    @property
    def model(self) -> str:
        return self.inner.model

    async def complete(
        self, messages: Sequence[Message], *, schema: Schema | None, tokens: int
    ) -> Completion:
        name = f"chat {self.inner.model}"
        about: Attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": self.inner.model,
            "gen_ai.request.max_tokens": tokens,
        }
        with self.spans.within(name, about) as span:
            answer = await self.inner.complete(messages, schema=schema, tokens=tokens)
            used: Attributes = {
                "gen_ai.usage.input_tokens": answer.tokens_in,
                "gen_ai.usage.output_tokens": answer.tokens_out,
            }
            span.tell(name, used)
            return answer


def traced_chat(chat: ChatModel, meter: Meter) -> ChatModel:
    """`chat`, whose calls are spans if what `meter` counts is traced."""
    return TracedChat(chat, meter.spans) if isinstance(meter, TracedFigures) else chat


@dataclass(frozen=True, slots=True)
class TracedEmbedder(Embedder):
    inner: Embedder
    spans: Spans

    @property
    def model(self) -> str:
        return self.inner.model

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    @property
    def here(self) -> bool:
        return self.inner.here

    async def embed(self, texts: Sequence[str]) -> Sequence[Vector]:
        about: Attributes = {
            "gen_ai.operation.name": "embeddings",
            "gen_ai.request.model": self.inner.model,
            "memweaver.texts": len(texts),
        }
        with self.spans.within(f"embeddings {self.inner.model}", about):
            return await self.inner.embed(texts)


@dataclass(frozen=True, slots=True)
class TracedDoorbell(Doorbell):
    """A span for handing jobs to whoever reflects, with their ids."""

    inner: Doorbell
    spans: Spans

    @property
    def trouble(self) -> str | None:
        return self.inner.trouble

    async def ring(self, jobs: Sequence[Job]) -> None:
        with self.spans.within("queue", {"memweaver.job": ids(jobs)}):
            await self.inner.ring(jobs)

    async def heard(self, patience: float) -> bool:
        return await self.inner.heard(patience)

    async def toll(self, jobs: Sequence[Job]) -> None:
        await self.inner.toll(jobs)


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedReflect(Reflect):
    """A span for each reflection, below the request that its first turn came by.

    That may have come to another process: the job says where in a trace it was.
    """

    spans: Spans

    async def __call__(self, claim: Claim) -> Outcome:
        about: Attributes = {"memweaver.job": ids(claim.jobs)}
        known = next((job.trace for job in claim.jobs if job.trace), None)
        after = {PARENT: known} if known else None
        with self.spans.within("reflect", about, after=after) as span:
            outcome = await Reflect.__call__(self, claim)
            span.tell("reflect", {"memweaver.outcome": outcome.value})
            return outcome


def ids(jobs: Sequence[Job]) -> str:
    return ",".join(job.id for job in jobs)


def traced(services: Services, spans: Spans) -> Services:
    """The same services, whose reflections are traced."""
    reflect = services.shift.reflect
    parts = {one.name: getattr(reflect, one.name) for one in fields(reflect)}
    shift = replace(services.shift, reflect=TracedReflect(**parts, spans=spans))
    return replace(services, shift=shift)
