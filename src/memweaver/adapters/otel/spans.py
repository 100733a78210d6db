"""The spans themselves, by OpenTelemetry's own SDK."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from time import time_ns

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from requests import Session

from memweaver.adapters.otel import Attributes, Carrier, Span, Spans

PATH = "/v1/traces"
PATIENCE = 5
"""Seconds for the receiver to take what is sent."""
PROPAGATOR = TraceContextTextMapPropagator()


@contextmanager
def sending(url: str, headers: Carrier, share: float) -> Generator[Spans]:
    resource = Resource({"service.name": "memweaver", "service.version": version("memweaver")})
    provider = TracerProvider(
        resource=resource,
        sampler=ParentBased(TraceIdRatioBased(share)),
        shutdown_on_exit=False,
    )
    exporter = OTLPSpanExporter(
        endpoint=url.rstrip("/").removesuffix(PATH) + PATH,
        headers=dict(headers),
        timeout=PATIENCE,
        session=straight(),
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    try:
        yield SdkSpans(provider.get_tracer("memweaver"))
    finally:
        provider.shutdown()


def straight() -> Session:
    """Goes where it is told and no further: the headers may carry a key."""
    session = Session()
    session.trust_env = False
    session.max_redirects = 0
    return session


@dataclass(frozen=True, slots=True)
class SdkSpan(Span):
    inner: trace.Span

    def tell(self, name: str, attributes: Attributes, *, failed: bool = False) -> None:
        self.inner.update_name(name)
        self.inner.set_attributes(dict(attributes))
        if failed:
            self.inner.set_status(trace.StatusCode.ERROR)


@dataclass(frozen=True, slots=True)
class SdkSpans(Spans):
    tracer: trace.Tracer

    @contextmanager
    def within(
        self,
        name: str,
        attributes: Attributes,
        *,
        after: Carrier | None = None,
        served: bool = False,
    ) -> Generator[Span]:
        context = PROPAGATOR.extract(dict(after)) if after else None
        kind = trace.SpanKind.SERVER if served else trace.SpanKind.INTERNAL
        with self.tracer.start_as_current_span(
            name,
            context,
            kind,
            dict(attributes),
            # The message of an exception may quote what people said: its class is enough.
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                yield SdkSpan(span)
            except Exception as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(trace.StatusCode.ERROR)
                raise

    def past(self, name: str, seconds: float, attributes: Attributes) -> None:
        now = time_ns()
        begun = now - int(seconds * 1e9)
        self.tracer.start_span(name, attributes=dict(attributes), start_time=begun).end(now)

    def here(self) -> Carrier:
        carrier: dict[str, str] = {}
        PROPAGATOR.inject(carrier)
        return carrier
