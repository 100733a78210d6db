"""Cursors, and how long a webhook waits."""

from datetime import UTC, datetime, timedelta

import pytest

from memweaver.domain.event import Cursor, Event, EventKind, Told, cursor_from
from memweaver.domain.scope import Scope
from memweaver.domain.webhook import Webhook, pause_after
from memweaver.errors import InvalidInput

MAY = datetime(2026, 5, 1, tzinfo=UTC)


def test_a_cursor_reads_as_it_is_written() -> None:
    told = Told(41, Event(EventKind.JOB_DONE, Scope("ann"), "t1", MAY))
    assert cursor_from(str(told.cursor)) == Cursor(41, MAY)


@pytest.mark.parametrize(
    "text", ["", "41", "41.", ".1", "-1.1", "x.1", "1.x", "²·1", f"{2**63}.1", "1.253402300800"]
)
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="`cursor`"):
        cursor_from(text)


def test_a_cursor_is_too_old_when_what_followed_may_be_forgotten() -> None:
    day = timedelta(days=1)
    assert not Cursor(1, MAY).too_old(MAY + day - timedelta(seconds=1), day)
    assert Cursor(1, MAY).too_old(MAY + day, day)


def test_a_webhook_wants_what_it_names_or_everything() -> None:
    event = Event(EventKind.JOB_DONE, Scope("ann"), "t1", MAY)
    every = Webhook("w", Scope("ann"), "https://example.com", "secret", MAY)
    some = Webhook("w", Scope("ann"), "https://example.com", "s", MAY, frozenset({event.kind}))
    other = Webhook(
        "w", Scope("ann"), "https://example.com", "s", MAY, frozenset({EventKind.JOB_DEAD})
    )
    assert [one.wants(event) for one in (every, some, other)] == [True, True, False]


def test_pauses_double_up_to_an_hour() -> None:
    assert [pause_after(n).total_seconds() for n in (1, 2, 3, 11, 99)] == [5, 10, 20, 3600, 3600]
