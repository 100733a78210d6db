"""What is remembered."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from memweaver.domain.conversation import Metadata
from memweaver.domain.named import named
from memweaver.domain.origin import Authority, Origin
from memweaver.domain.scope import Scope
from memweaver.errors import InvalidFilter

Vector = bytes
"""A unit vector as little-endian float32: what is sealed, scanned and sent is the same bytes."""


class Tier(StrEnum):
    WORKING = "working"
    CORE = "core"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    RELATIONAL = "relational"
    PROCEDURAL = "procedural"
    PROACTIVE = "proactive"
    REFLECTION = "reflection"
    ARCHIVE = "archive"


ALIASES: dict[str, tuple[Tier, ...]] = {
    "working_memory": (Tier.WORKING,),
    "short_term": (Tier.WORKING,),
    "long_term_memory": (Tier.SEMANTIC, Tier.CORE, Tier.PROCEDURAL),
    "personal_logs": (Tier.REFLECTION,),
    "associative": (Tier.SEMANTIC,),
    "graph": (Tier.RELATIONAL,),
    "routine": (Tier.PROCEDURAL,),
}
"""Other names of tiers, accepted at the edges; the first tier of each is the one written to."""


def tiers_named(name: str) -> tuple[Tier, ...]:
    """The tiers that `name`, a tier or an alias, stands for. Raises `InvalidFilter`."""
    if name in ALIASES:
        return ALIASES[name]
    try:
        return (Tier(name),)
    except ValueError:
        known = ", ".join([*Tier, *ALIASES])
        raise InvalidFilter(f"unknown tier `{name}`; known are {known}") from None


@dataclass(frozen=True, slots=True)
class Validity:
    """Two times: when it holds in the world, and when this memory knew it.

    An open end is `None`. `known_to` is set when a newer revision or memory takes its place.
    """

    known_from: datetime
    known_to: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """One record type for every tier.

    A correction keeps `id` and raises `revision`; the revision before is closed, not lost.
    `supersedes` names another memory whose place this one takes. `key` is for the core tier.
    One that is `quarantined` is kept and listed, but never recalled.
    """

    id: str
    scope: Scope
    tier: Tier
    text: str
    validity: Validity
    revision: int = 1
    key: str | None = None
    origin: Origin = Origin.USER
    authority: Authority = Authority.FACT
    importance: float = 0.5
    confidence: float = 0.7
    supersedes: str | None = None
    sources: tuple[str, ...] = ()
    metadata: Metadata = field(default_factory=dict[str, object])
    quarantined: bool = False

    def says_the_same_as(self, other: "Memory") -> bool:
        """Whether both were handed in alike, whenever that was."""
        times = (self.validity.valid_from, self.validity.valid_to)
        alike = replace(other, revision=self.revision, validity=self.validity)
        return self == alike and times == (other.validity.valid_from, other.validity.valid_to)

    @property
    def spoken(self) -> str:
        """The memory as it is embedded and searched."""
        return f"{self.key}: {self.text}" if self.key else self.text

    @property
    def words(self) -> str:
        """What it says, apart from case, spaces and the final stop: equal for duplicates."""
        return " ".join(self.spoken.casefold().split()).removesuffix(".").rstrip()


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory as a caller hands it in."""

    text: str
    tier: Tier = Tier.SEMANTIC
    key: str | None = None
    origin: Origin = Origin.USER
    authority: Authority = Authority.FACT
    importance: float = 0.5
    confidence: float = 0.7
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    supersedes: str | None = None
    sources: tuple[str, ...] = ()
    metadata: Metadata = field(default_factory=dict[str, object])

    def __post_init__(self) -> None:
        object.__setattr__(self, "tier", named(Tier, "tier", self.tier))
        object.__setattr__(self, "origin", named(Origin, "origin", self.origin))
        object.__setattr__(self, "authority", named(Authority, "authority", self.authority))


@dataclass(frozen=True, slots=True)
class Correction:
    """What a caller wants changed in a memory; `None` leaves it as it is."""

    text: str | None = None
    key: str | None = None
    importance: float | None = None
    confidence: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    metadata: Metadata | None = None
