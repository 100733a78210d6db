"""Who said a candidate, and what it may therefore become."""

import re
import unicodedata
from dataclasses import dataclass

from memweaver.domain.candidate import Candidate, CandidateKind
from memweaver.domain.conversation import Message, Role, Turn
from memweaver.domain.memory import Tier
from memweaver.domain.origin import TRUSTED, Authority, Origin, allowed, weakest

BY_ROLE = {
    Role.USER: Origin.USER,
    Role.ASSISTANT: Origin.ASSISTANT,
    Role.SYSTEM: Origin.DOCUMENT,
    Role.TOOL: Origin.TOOL,
}

ORDERS = re.compile(
    r"\b(?:always|never|must|ignore|disregard|from now on|in (?:all )?future|do not|don't"
    r"|make sure|be sure to|you (?:should|will|are to|have to)|whenever|instead of answering"
    r"|remember (?:to|that)|trusted source|system prompt|(?:send|forward|post|upload|e-?mail) "
    r"(?:it|them|this|that|all|every|the)|execute|run the)\b|https?://|!\[|<[a-z/!]",
    re.IGNORECASE,
)
"""What text that gives orders, or carries something out, looks like."""

ORDERING = frozenset({CandidateKind.INSTRUCTION, CandidateKind.ROUTINE})


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
    if origin in TRUSTED:
        return Standing(origin, authority, quarantined=False)
    wants = candidate.tier in (Tier.CORE, Tier.PROCEDURAL) or candidate.kind in ORDERING
    return Standing(origin, authority, quarantined=wants or orders(candidate.text))


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


def orders(text: str) -> bool:
    return bool(ORDERS.search(text)) or hidden(text)


def hidden(text: str) -> bool:
    """Whether it has characters that people do not see but models read."""
    return any(unicodedata.category(character) in ("Cf", "Co") for character in text)
