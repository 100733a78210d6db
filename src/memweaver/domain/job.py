"""Jobs: the reflection that every turn still has ahead of it, or behind it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum

from memweaver.domain.scope import Scope


class Priority(IntEnum):
    """Which users are served first; the jobs of one user always keep their order."""

    LOW = -1
    NORMAL = 0
    HIGH = 1


class State(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"


class Reflection(StrEnum):
    """How far the reflection of a turn is when its recording is answered."""

    QUEUED = "queued"
    PROCESSED = "processed"
    STORED = "stored"
    """Nothing was drawn from it, and no job is left to do so."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an attempt failed: the code of an error and its sentence, which never quotes anybody."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Job:
    """The reflection of one turn, which it is named after; it carries no word of it.

    `attempts` counts how often it was begun, `failures` how often it ended badly: a worker that
    was killed began, but is not the job's fault. An outage counts as neither: `away_since` is
    when the one began that it waits out. `due_at` is when it may be begun next. `trace` is where
    its turn was recorded, for whoever follows what became of it.
    """

    id: str
    scope: Scope
    priority: Priority
    state: State
    created_at: datetime
    due_at: datetime
    attempts: int = 0
    failures: int = 0
    settled_at: datetime | None = None
    failure: Failure | None = None
    away_since: datetime | None = None
    trace: str | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a failed job is tried again, how long it rests before, and outages besides."""

    retries: int = 3
    unexpected: int = 1
    """Retries at most if our own code broke: it would again, and the user's later turns wait."""
    delay: timedelta = timedelta(seconds=30)
    longest: timedelta = timedelta(hours=1)
    crashes: int = 20
    """Attempts that may end with nobody telling how, before the job itself is to blame."""
    outage: timedelta = timedelta(days=1)
    """How long an outage is waited out before the job is given up after all."""
    glance: timedelta = timedelta(minutes=5)
    """The longest rest between two looks whether it is over."""

    def rest(self, failures: int, chance: float) -> timedelta:
        """How long to rest after so many failures: doubled each time, shortened by up to half.

        `chance`, from 0 to 1, keeps jobs that failed together from coming back together.
        """
        doubled = self.delay * (1 << min(failures - 1, 30))
        return min(doubled, self.longest) * (1 - chance / 2)

    def exhausted(self, failures: int, *, unexpected: bool = False) -> bool:
        retries = min(self.retries, self.unexpected) if unexpected else self.retries
        return failures > retries

    def rest_away(self, away: timedelta, chance: float) -> timedelta:
        """How long to rest in an outage that has lasted so long: about as long again."""
        return min(max(away, self.delay), self.glance) * (1 - chance / 2)

    def outlasted(self, away: timedelta) -> bool:
        return away >= self.outage


@dataclass(frozen=True, slots=True)
class Depth:
    """How much work there is, and since when the oldest of it waits."""

    waiting: int
    running: int
    dead: int
    oldest: datetime | None

    def age(self, now: datetime) -> timedelta:
        """For how long the oldest has waited; clocks of two machines may differ a little."""
        return max(now - self.oldest, timedelta()) if self.oldest else timedelta()
