"""Blame: whether jobs that failed, or an outage, are at fault, and so when they are tried again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import random

from memweaver.domain.job import Patience
from memweaver.errors import (
    BackendUnavailable,
    InvalidInput,
    MemweaverError,
    ModelBusy,
    ModelRefused,
    ModelUnavailable,
    StorageFull,
    Unreadable,
)
from memweaver.ports.clock import Clock
from memweaver.ports.queue import Claim
from memweaver.services.reflect.pulse import Pulse

HOPELESS = (Unreadable, InvalidInput)
"""What no further attempt can mend."""
OUTAGES = (BackendUnavailable, StorageFull, ModelBusy)
"""What no turn can be to blame for."""
DOUBTFUL = (ModelUnavailable, ModelRefused)
"""What a turn may be to blame for that a model chokes on, or a model that is away or locked."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """When to try again, never if `None`; each job `apart`, or after an `outage`."""

    retry_at: datetime | None
    apart: bool = False
    outage: bool = False


GIVE_UP = Verdict(None)


@dataclass(frozen=True, slots=True)
class Blame:
    """Without `again` there is no later attempt: what fails is given up at once."""

    pulse: Pulse
    clock: Clock
    patience: Patience
    chance: Callable[[], float] = random
    again: bool = True

    async def __call__(self, claim: Claim, error: Exception) -> Verdict:
        """Several that failed together, and no outage, are tried at once again each alone.

        One of them may be to blame. An error that is none of ours was not expected: our own code
        broke, and would again, so that is tried once more at most.
        """
        if not self.again or isinstance(error, HOPELESS):
            return GIVE_UP
        if isinstance(error, OUTAGES) or (isinstance(error, DOUBTFUL) and not await self.pulse()):
            return self._waiting_out(claim, error)
        if len(claim.jobs) > 1:
            return Verdict(self.clock.now(), apart=True)
        failures = claim.jobs[0].failures + 1
        unexpected = not isinstance(error, MemweaverError)
        if self.patience.exhausted(failures, unexpected=unexpected):
            return GIVE_UP
        return Verdict(self._after(self.patience.rest(failures, self.chance()), error))

    def _waiting_out(self, claim: Claim, error: Exception) -> Verdict:
        """Given up together, so not before the youngest has waited as long as any must."""
        now = self.clock.now()
        away = [now - (job.away_since or now) for job in claim.jobs]
        if self.patience.outlasted(min(away)):
            return GIVE_UP
        rest = self.patience.rest_away(max(away), self.chance())
        return Verdict(self._after(rest, error), outage=True)

    def _after(self, rest: timedelta, error: Exception) -> datetime:
        """As long as the service asks for, if that is longer and not too long."""
        asked = error.retry_after if isinstance(error, ModelUnavailable) else None
        seconds = min(asked or 0, self.patience.longest.total_seconds())
        return self.clock.now() + max(rest, timedelta(seconds=seconds))
