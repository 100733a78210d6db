"""Who said a candidate, and what it may therefore become."""

from dataclasses import dataclass

from memweaver.domain.candidate import Candidate, CandidateKind
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.memory import Tier
from memweaver.domain.orders import orders
from memweaver.domain.origin import TRUSTED, Authority, Origin, allowed, weakest

BY_ROLE = {
    Role.USER: Origin.USER,
    Role.ASSISTANT: Origin.ASSISTANT,
    Role.SYSTEM: Origin.DOCUMENT,
    Role.TOOL: Origin.TOOL,
}

ORDERING = frozenset({CandidateKind.INSTRUCTION, CandidateKind.ROUTINE})

GUARDED = frozenset({Tier.CORE, Tier.PROCEDURAL})
"""Tiers that only the user's word reaches."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a candidate may become: set by this code, whatever an extractor says."""

    origin: Origin
    authority: Authority
    quarantined: bool


def standing(candidate: Candidate, turn: Turn) -> Standing:
    """By who said it: what does not come from the user is a fact at most, and no order at all.

    What looks like an order, or wants into the core, without coming from the user is kept apart.
    """
    origin = origin_of(candidate, turn)
    authority = allowed(candidate.authority, origin)
    ordering = candidate.kind in ORDERING
    apart = held_back(candidate.text, candidate.tier, origin, ordering=ordering)
    return Standing(origin, authority, quarantined=apart)


def held_back(text: str, tier: Tier, origin: Origin, *, ordering: bool = False) -> bool:
    """Whether what comes from `origin` must wait for the user's word before it is recalled.

    `ordering` says that it is meant to be more than a fact, whatever its words are.
    """
    if origin in TRUSTED:
        return False
    return ordering or tier in GUARDED or orders(text)


def origin_of(candidate: Candidate, turn: Turn) -> Origin:
    """The weakest origin of what the speaker said in that turn.

    A turn may say in its metadata that it comes from a weaker one, never that from a stronger.
    """
    theirs = [message for message in turn.messages if said_by(message, candidate.speaker)]
    origins = [BY_ROLE[message.role] for message in theirs or turn.messages]
    told = turn.metadata.get("origin")
    return weakest([*origins, *(one for one in Origin if one == told)])


def said_by(message: Message, speaker: str) -> bool:
    return speaker in (message.role.value, message.name)
