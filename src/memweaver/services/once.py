"""Once: a request that comes again under its idempotency key is answered, not done again."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from memweaver.domain.scope import checked_name
from memweaver.errors import Conflict
from memweaver.ports.clock import Clock
from memweaver.ports.replies import Replies, Reply

KEPT = timedelta(hours=24)
"""How long a key stands for its request; an hour later at most it stands for nothing."""
UNFINISHED = timedelta(minutes=2)
"""After which whoever was to answer, and waited for no model, is taken to be gone."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A request that is being answered, since when; a later attempt at the same is another."""

    user: str
    key: str
    begun: datetime


@dataclass(frozen=True, slots=True)
class Once:
    """`patience` is for how many seconds an answer may wait for a model."""

    replies: Replies
    clock: Clock
    patience: float = 0.0

    async def begin(self, user: str, key: str, request: bytes) -> Reply | Attempt:
        """The reply that was given before; an attempt if the request is to be done now.

        Raises:
            Conflict: the key stands for another request, or the answer held a secret, which is
                shown once.
            Unfinished: the same request is being answered just now.
        """
        checked_name("idempotency-key", key)
        now = self.clock.now()
        stale = now - self._unfinished()
        reply = await self.replies.begin(user, key, request, now=now, stale=stale)
        if reply is None:
            return Attempt(user, key, now)
        if reply.body is None:
            raise Conflict("it was done already, and its answer held a secret, shown once")
        return reply

    async def keep(self, attempt: Attempt, reply: Reply) -> None:
        """From now on this is the answer, unless there is a later attempt."""
        await self.replies.keep(attempt.user, attempt.key, reply, begun=attempt.begun)

    async def give_up(self, attempt: Attempt) -> None:
        """It came to nothing, and may be asked for anew; a later attempt goes on."""
        await self.replies.give_up(attempt.user, attempt.key, begun=attempt.begun)

    def _unfinished(self) -> timedelta:
        return UNFINISHED + timedelta(seconds=min(self.patience, KEPT.total_seconds()))
