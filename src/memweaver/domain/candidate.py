"""What extraction proposes to remember."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memweaver.domain.conversation import Turn
from memweaver.domain.memory import Memory, Tier
from memweaver.domain.origin import Authority


class Aspect(StrEnum):
    """What a turn is looked through for; each aspect is extracted apart and may fail apart."""

    EPISODIC = "episodic"
    """What happened or will happen, with its time."""
    SEMANTIC = "semantic"
    """Standing facts and preferences, and who is what to whom."""
    PROCEDURAL = "procedural"
    """Routines, and how the user wants things done."""


class CandidateKind(StrEnum):
    FACT = "fact"
    PREFERENCE = "preference"
    RELATION = "relation"
    ROUTINE = "routine"
    EVENT = "event"
    INSTRUCTION = "instruction"


class Wish(StrEnum):
    """What the speaker wants done with what the candidate says."""

    KEEP = "keep"
    FORGET = "forget"
    """The user asked for it to be forgotten."""
    NEGATE = "negate"
    """It no longer holds; `text` says what held."""


@dataclass(frozen=True, slots=True)
class Relation:
    """Who is what to whom: `subject`, `predicate`, `object`."""

    subject: str
    subject_type: str
    predicate: str
    object: str
    object_type: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """One statement that stands on its own, with the turn it comes from.

    `attribute` names what can have but one value at a time (`home`, `employer`, `name`): a new
    value takes the place of the old one. `key` asks for the core tier, under that key.
    """

    text: str
    kind: CandidateKind
    tier: Tier
    source: str
    """The id of the turn that says it."""
    speaker: str = "user"
    """The role, or the name, of who said it."""
    wish: Wish = Wish.KEEP
    key: str | None = None
    attribute: str | None = None
    relation: Relation | None = None
    authority: Authority = Authority.FACT
    importance: float = 0.5
    confidence: float = 0.7
    valid_from: datetime | None = None
    valid_to: datetime | None = None


MOST_CANDIDATES = 5
"""Candidates to keep taken from one turn in one aspect; more is a model that rambles.

What is to be forgotten, or no longer holds, is not counted: every such wish is followed.
"""
LONGEST_CANDIDATE = 500
"""Characters of one candidate."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What extraction sees: `turns` to extract from, the rest to understand them by.

    `known` are memories near to what is said or recalled into it: not to be extracted again.
    `zone` is the speaker's time zone, as the time zone database names it.
    """

    turns: tuple[Turn, ...]
    before: tuple[Turn, ...] = ()
    core: tuple[Memory, ...] = ()
    episodes: tuple[Memory, ...] = ()
    known: tuple[Memory, ...] = ()
    zone: str = "UTC"
