"""What can be asked of a memory, and what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memweaver.domain.limits import check_time
from memweaver.domain.memory import Tier
from memweaver.domain.named import named
from memweaver.domain.origin import Origin
from memweaver.domain.scope import checked_name


class Kind(StrEnum):
    """What a hit is: something said, or something woven from what was said."""

    TURN = "turn"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Ref:
    """The name of one searchable record within a user."""

    kind: Kind
    id: str
    revision: int = 1


@dataclass(frozen=True, slots=True)
class Filter:
    """Which records a search may return.

    `tiers` restricts memories (by default every tier but the archive), `turns` admits or refuses
    what was said verbatim, `session` keeps to one conversation. `as_of` asks for what was known
    then, `valid_at` for what held then in the world.
    """

    tiers: frozenset[Tier] | None = None
    turns: bool = True
    session: str | None = None
    as_of: datetime | None = None
    valid_at: datetime | None = None

    def __post_init__(self) -> None:
        if self.session is not None:
            checked_name("session", self.session)
        if self.tiers is not None:
            tiers = frozenset(named(Tier, "tiers", tier) for tier in self.tiers)
            object.__setattr__(self, "tiers", tiers)
        check_time("as_of", self.as_of)
        check_time("valid_at", self.valid_at)


EVERYTHING = Filter()


@dataclass(frozen=True, slots=True)
class Hit:
    """A record found, with the reasons.

    `score` is in [0, 1] and compares hits of one search only; `cosine` is in [-1, 1], compares
    across searches, and is `None` for a record not embedded (yet) by the current model.
    `explanation` has the share of each term of the recipe; its values sum to `score`.
    """

    ref: Ref
    text: str
    at: datetime
    score: float
    ordinal: int = 0
    speaker: str | None = None
    session: str | None = None
    tier: Tier | None = None
    origin: Origin = Origin.USER
    cosine: float | None = None
    explanation: Mapping[str, float] = field(default_factory=dict[str, float])
