"""The figures that are kept about what happens, as Prometheus reads them."""

from collections.abc import Mapping
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from memweaver.ports.meter import Figures

PREFIX = "memweaver_"
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
"""Bounds for what may take a millisecond or wait for a model."""

Kept = Counter | Gauge | Histogram


@dataclass(frozen=True, slots=True)
class Figure:
    """How one figure is kept, what it tells, and which labels tell its parts apart."""

    kind: type[Kept]
    help: str
    labels: tuple[str, ...] = ()

    def kept(self, name: str, registry: CollectorRegistry) -> Kept:
        if self.kind is Histogram:
            return Histogram(
                PREFIX + name, self.help, self.labels, registry=registry, buckets=SECONDS
            )
        return self.kind(PREFIX + name, self.help, self.labels, registry=registry)


FIGURES: Mapping[str, Figure] = {
    "turns_recorded": Figure(Counter, "Turns kept durably"),
    "turns_unqueued": Figure(Counter, "Turns that could leave no job: the queue was unavailable"),
    "record_seconds": Figure(Histogram, "Keeping a turn, as the caller waits for it"),
    "recall_seconds": Figure(Histogram, "Recalling, as the caller waits for it"),
    "chat_seconds": Figure(
        Histogram,
        "A chat that is passed on: until the first piece of its answer, and the whole of it",
        ("stage",),
    ),
    "chat_recall_failed": Figure(
        Counter, "Chats that went on without recalling, with the code of the failure", ("code",)
    ),
    "chat_record_failed": Figure(
        Counter, "Chats that left no turn though they should, with the code", ("code",)
    ),
    "queue_jobs": Figure(Gauge, "Jobs that wait, run or are dead", ("state",)),
    "queue_oldest_seconds": Figure(Gauge, "For how long the oldest job has waited"),
    "queue_readable": Figure(Gauge, "1 if the queue could be read for this page, else 0"),
    "jobs_settled": Figure(
        Counter,
        "Jobs whose attempt ended: done, retried, dead or lost, with the code of the failure",
        ("outcome", "code"),
    ),
    "job_seconds": Figure(Histogram, "From recording a turn to the end of its reflection"),
    "reflection_seconds": Figure(
        Histogram,
        "One stage of a reflection: load, extract_<aspect>, weave, apply; or the whole",
        ("stage",),
    ),
    "decisions": Figure(
        Counter,
        "What was done about candidates, in which tier, and the reason",
        ("action", "tier", "because"),
    ),
    "model_calls": Figure(
        Counter,
        "Calls of a chat model, by purpose; outcome is ok or the code of the failure",
        ("model", "purpose", "outcome"),
    ),
    "model_seconds": Figure(Histogram, "One call of a chat model", ("model", "purpose")),
    "model_tokens": Figure(
        Counter,
        "Tokens read (in) and written (out) by a chat model",
        ("model", "purpose", "direction"),
    ),
    "requests_seconds": Figure(
        Histogram,
        "One request, from its headers to the end of its answer",
        ("route", "method", "status"),
    ),
    "requests_under_way": Figure(Gauge, "Requests that are being answered"),
    "rate_limited": Figure(
        Counter, "What was refused for coming too often: logins, keys, requests, tokens", ("what",)
    ),
    "sockets_open": Figure(Gauge, "Sockets that are connected"),
    "webhook_posts": Figure(
        Counter,
        "Events carried to webhooks; outcome is ok or the code of the failure",
        ("outcome",),
    ),
    "doorbell_rings": Figure(Counter, "Times the doorbell was rung or heard", ("side",)),
}
"""Every figure there is. Labels are words of our own: nobody's name, nothing anybody said."""


class PrometheusMeter(Figures):
    """Keeps figures in a registry of its own, so that two in one process do not meet.

    A name, kind or label that the table does not declare is a mistake in the program; a label
    that is left out is empty, which Prometheus takes for absent.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._kept = {name: one.kept(name, self._registry) for name, one in FIGURES.items()}

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        counter = self._labelled(name, labels)
        if not isinstance(counter, Counter):
            raise TypeError(f"`{name}` is not declared as a counter")
        counter.inc(max(amount, 0))

    def time(self, name: str, seconds: float, **labels: str) -> None:
        histogram = self._labelled(name, labels)
        if not isinstance(histogram, Histogram):
            raise TypeError(f"`{name}` is not declared as a histogram")
        histogram.observe(seconds)

    def level(self, name: str, value: float, **labels: str) -> None:
        gauge = self._labelled(name, labels)
        if not isinstance(gauge, Gauge):
            raise TypeError(f"`{name}` is not declared as a gauge")
        gauge.set(value)

    def here(self) -> str | None:
        return None

    def page(self) -> str:
        return generate_latest(self._registry).decode()

    def _labelled(self, name: str, labels: Mapping[str, str]) -> Kept:
        if name not in FIGURES:
            raise LookupError(f"`{name}` is not declared in app/metrics.py")
        declared = FIGURES[name].labels
        if unknown := labels.keys() - set(declared):
            raise LookupError(f"`{name}` has no label {', '.join(sorted(unknown))}")
        kept = self._kept[name]
        return kept.labels(*(labels.get(label, "") for label in declared)) if declared else kept
