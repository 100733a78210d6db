"""Makes a candidate of what a model states; what it may be is settled here, not by the model."""

import re
from collections.abc import Sequence
from datetime import datetime

from memweaver.adapters.prompted.prompts import examples
from memweaver.adapters.prompted.schemas import KINDS
from memweaver.adapters.prompted.showing import speaker, zone_of
from memweaver.adapters.prompted.speakers import MOSTLY, Voice, said_by
from memweaver.adapters.prompted.statement import Statement
from memweaver.adapters.prompted.times import beginning, dated, end, everywhere
from memweaver.domain.candidate import (
    LONGEST_CANDIDATE,
    Aspect,
    Candidate,
    CandidateKind,
    Relation,
    Wish,
)
from memweaver.domain.conversation import Role, Turn
from memweaver.domain.limits import check_window
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Authority
from memweaver.domain.wording import spelled

SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？]")  # noqa: RUF001 - how some languages end one

AUTHORITIES = {
    CandidateKind.PREFERENCE: Authority.PREFERENCE,
    CandidateKind.INSTRUCTION: Authority.INSTRUCTION,
}
"""What the user's word may do beyond being a fact."""


def candidate_of(
    statement: Statement, turn: Turn, voices: Sequence[Voice], aspect: Aspect, zone: str
) -> Candidate | None:
    """`None` for what is not to be taken: of another aspect, too long, ours, not theirs to wish.

    Raises `ValueError`, `InvalidInput` for what cannot be.
    """
    kind = statement.kind or KINDS[aspect][0]
    since, until = times(statement, turn, zone)
    tier, key = place(statement, kind, aspect)
    text = fitting(dated(statement.text, zone_of(turn, zone), turn.at))
    message = said_by(statement.speaker, statement.text, voices)
    by_user = message.role is Role.USER
    if kind not in KINDS[aspect] or not text or ours(text, voices):
        return None
    if statement.wish is not Wish.KEEP and not by_user:
        return None
    return Candidate(
        text=text,
        kind=kind,
        tier=tier,
        source=turn.id,
        speaker=speaker(message),
        wish=statement.wish,
        key=key,
        attribute=statement.attribute,
        relation=ends(statement, tier),
        authority=AUTHORITIES.get(kind, Authority.FACT) if by_user else Authority.FACT,
        importance=statement.importance,
        confidence=statement.confidence,
        valid_from=since,
        valid_to=until,
    )


def times(statement: Statement, turn: Turn, zone: str) -> tuple[datetime | None, datetime | None]:
    """Since when and until when, as meant in the speaker's zone.

    Raises `ValueError`, `InvalidInput`.
    """
    theirs, since, until = zone_of(turn, zone), None, None
    if statement.valid_from:
        since = everywhere(beginning(statement.valid_from, theirs))
    if statement.valid_to:
        until = everywhere(end(statement.valid_to, theirs))
    check_window(since, until)
    return since, until


def place(statement: Statement, kind: CandidateKind, aspect: Aspect) -> tuple[Tier, str | None]:
    """The tier it goes to, and its key there. Raises `ValueError`."""
    match aspect:
        case Aspect.EPISODIC:
            return Tier.EPISODIC, None
        case Aspect.PROCEDURAL:
            return Tier.PROCEDURAL, None
        case Aspect.SEMANTIC if kind is CandidateKind.RELATION:
            if statement.relation is None:
                raise ValueError("a relation without its ends")
            return Tier.RELATIONAL, None
        case Aspect.SEMANTIC:
            return among_facts(statement)


def among_facts(statement: Statement) -> tuple[Tier, str | None]:
    if statement.tier not in (None, Tier.SEMANTIC, Tier.CORE, Tier.RELATIONAL):
        raise ValueError("a tier that facts do not go to")
    key = statement.key or statement.attribute
    return (Tier.CORE, key) if statement.tier is Tier.CORE and key else (Tier.SEMANTIC, None)


def ends(statement: Statement, tier: Tier) -> Relation | None:
    relation = statement.relation if tier is Tier.RELATIONAL else None
    return relation.value() if relation else None


def ours(text: str, voices: Sequence[Voice]) -> bool:
    """Whether it is an example of our prompts that nobody in the turn said."""
    return spelled(text) in examples() and max(one.share(text) for one in voices) < MOSTLY


def fitting(text: str) -> str | None:
    """`text`, cut behind its last sentence that fits; `None` if there is none."""
    if len(text) <= LONGEST_CANDIDATE:
        return text
    ends = [end.end() for end in SENTENCE_END.finditer(text, 0, LONGEST_CANDIDATE)]
    return text[: ends[-1]] if ends else None
