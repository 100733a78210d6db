"""Lists, a page at a time."""

from collections.abc import Iterable

from memweaver.adapters.memory.state import Entry, Value
from memweaver.ports.store import Page


def page(entries: Iterable[Entry[Value]], *, before: int | None, limit: int) -> Page[Value]:
    """At most `limit` values, the latest first."""
    older = [entry for entry in entries if before is None or entry.serial < before]
    latest = sorted(older, key=lambda entry: -entry.serial)
    shown = latest[:limit]
    following = shown[-1].serial if len(latest) > limit else None
    return Page([entry.value for entry in shown], following)
