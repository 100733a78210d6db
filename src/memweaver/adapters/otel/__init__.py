"""OpenTelemetry: spans, sent by OTLP over HTTP. Loaded only where traces are wanted."""

from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from memweaver.errors import ConfigurationError

Attributes = Mapping[str, str | int | float]
Carrier = Mapping[str, str]
"""Where in a trace somebody is, as it is written into headers."""


class Spans(Protocol):
    """Ids, names of our own and numbers; never contents, never names of people."""

    def within(
        self,
        name: str,
        attributes: Attributes,
        *,
        after: Carrier | None = None,
        served: bool = False,
    ) -> AbstractContextManager["Span"]:
        """A span around the body, below the current one or `after` another process's."""
        ...

    def past(self, name: str, seconds: float, attributes: Attributes) -> None:
        """A span that took so long and ends now."""
        ...

    def here(self) -> Carrier: ...


class Span(Protocol):
    def tell(self, name: str, attributes: Attributes, *, failed: bool = False) -> None:
        """What it turned out to be called, and more about it."""
        ...


@contextmanager
def open_spans(url: str, headers: Carrier, share: float) -> Generator[Spans]:
    """Spans that are sent to the receiver at `url`; what waits is sent in the end.

    Raises:
        ConfigurationError: the packages for it are not there.
    """
    try:
        from memweaver.adapters.otel.spans import sending  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ConfigurationError("traces need: pip install 'memweaver[otel]'") from error
    with sending(url, headers, share) as spans:
        yield spans
