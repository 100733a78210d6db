"""Once: a request that comes again under its idempotency key is answered, not done again."""

from dataclasses import dataclass
from datetime import timedelta

from memweaver.domain.scope import checked_name
from memweaver.errors import Conflict
from memweaver.ports.clock import Clock
from memweaver.ports.replies import Replies, Reply

KEPT = timedelta(hours=24)
"""How long a key stands for its request; an hour later at most it stands for nothing."""
UNFINISHED = timedelta(minutes=2)
"""After which whoever was to answer is taken to be gone."""


@dataclass(frozen=True, slots=True)
class Once:
    replies: Replies
    clock: Clock

    async def begin(self, user: str, key: str, request: bytes) -> Reply | None:
        """The reply that was given before; `None` if the request is to be done now.

        Raises:
            Conflict: the key stands for another request, or the answer held a secret, which is
                shown once.
            Unfinished: the same request is being answered just now.
        """
        checked_name("idempotency-key", key)
        now = self.clock.now()
        reply = await self.replies.begin(user, key, request, now=now, stale=now - UNFINISHED)
        if reply is not None and reply.body is None:
            raise Conflict("it was done already, and its answer held a secret, shown once")
        return reply

    async def keep(self, user: str, key: str, reply: Reply) -> None:
        """From now on this is the answer."""
        await self.replies.keep(user, key, reply)

    async def give_up(self, user: str, key: str) -> None:
        """It came to nothing, and may be asked for anew."""
        await self.replies.give_up(user, key)
