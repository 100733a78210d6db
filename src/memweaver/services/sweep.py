"""Sweep: what has had its time is forgotten, now and then, all in one place."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from memweaver.ports.access import AccessStore
from memweaver.ports.clock import Clock
from memweaver.ports.events import EventLog
from memweaver.ports.replies import Replies
from memweaver.ports.webhooks import WebhookStore
from memweaver.services.once import KEPT

EVERY = timedelta(hours=1)
TOO_LATE = "it could not be told before it was forgotten"


@dataclass(slots=True)
class Sweep:
    """`keep` is for how long what happened is told."""

    replies: Replies
    webhooks: WebhookStore
    events: EventLog
    access: AccessStore
    clock: Clock
    keep: timedelta
    _last: datetime | None = field(default=None, init=False)

    async def __call__(self) -> None:
        """Forget replies, events and revoked tokens that are old, if it is time to."""
        now = self.clock.now()
        if self._last is not None and now - self._last < EVERY:
            return
        await self.replies.sweep(before=now - KEPT)
        await self.webhooks.give_up(before=now - self.keep, at=now, failure=TOO_LATE)
        await self.events.trim(now - self.keep)
        await self.access.sweep_tokens(before=now)
        self._last = now
