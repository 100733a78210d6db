"""Decide: what a candidate means for what is remembered already. Pure; no model, no clock.

`decide` settles the clear cases and answers `None` for the others: then a model is asked, if
there is one, and otherwise `without_model` settles them by words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memweaver.domain.candidate import Candidate, CandidateKind, Wish
from memweaver.domain.decision import Action, Decision
from memweaver.domain.memory import Memory, Tier
from memweaver.domain.origin import Origin, weakest
from memweaver.domain.wording import contradicts, denies, details, negated, spelled, words

NEAR = 0.75
"""Cosine below which two statements of the local model's are about different things."""
SAME = 0.95
"""Cosine from which two statements say the same, unless a detail differs."""
MEANT = 0.8
"""Cosine from which a memory is what somebody asks to forget or says no longer holds."""
MEANT_BY_WORDS = 0.6
"""The same if at least half of the words are there too."""

SAID_AT = "said_at"
"""Under what a memory's metadata tell when the latest turn that it comes from was said."""

MANY = 6
MOSTLY = 0.6
"""Of so many decisions at once, a larger share of deletions is a mistake and not a wish."""
ASKED = "asked_to_forget"
"""Why what somebody asked to forget is deleted: a wish, however many there are."""


@dataclass(frozen=True, slots=True)
class Near:
    """A memory, and how near in meaning it is to a candidate."""

    memory: Memory
    cosine: float


def decide(candidate: Candidate, near: Sequence[Near]) -> Decision | None:
    """What to do about `candidate`, given the memories `near` to it, nearest first."""
    if candidate.wish is not Wish.KEEP:
        return removal(candidate, near)
    there = [one for one in near if comparable(candidate, one.memory)]
    if said := next((one for one in there if same_words(candidate, one.memory)), None):
        return Decision(Action.NOOP, "same_words", said.memory.id)
    if held := next((one for one in there if same_place(candidate, one.memory)), None):
        return Decision(Action.REPLACE, "single_valued", held.memory.id)
    if not there or there[0].cosine < NEAR:
        return Decision(Action.ADD, "nothing_near")
    best = there[0]
    if best.cosine >= SAME:
        return nearly_the_same(candidate, best.memory)
    return None


def without_model(candidate: Candidate, near: Sequence[Near]) -> Decision:
    """The same for what `decide` leaves open, by comparing the words."""
    there = [one.memory for one in near if comparable(candidate, one.memory)]
    for memory in there:
        if contradicts(candidate.text, memory.text):
            return Decision(Action.REPLACE, "contradiction", memory.id)
    new = words(candidate.text)
    for memory in there:
        known = words(memory.text)
        if new != known and (negated(candidate.text) or negated(memory.text)):
            continue  # of what is not so, more words may say less
        if new <= known:
            return Decision(Action.NOOP, "said_already", memory.id)
        if known <= new and candidate.tier is memory.tier:
            return Decision(Action.UPDATE, "says_more", memory.id, candidate.text)
    return Decision(Action.ADD, "distinct")


def admissible(decision: Decision, candidate: Candidate, near: Sequence[Near]) -> Decision:
    """A model's decision as far as it may go; what it may not is decided without it.

    It must be about a memory it was shown. It deletes nothing that nobody asked to delete: then
    the candidate takes the place of what it contradicts.
    """
    if decision.action in (Action.ADD, Action.NOOP):
        return decision
    if decision.target not in {one.memory.id for one in near}:
        return without_model(candidate, near)
    if decision.action is Action.DELETE and candidate.wish is Wish.KEEP:
        return replace(decision, action=Action.REPLACE, text=None)
    if decision.action is Action.UPDATE and not (decision.text or "").strip():
        return without_model(candidate, near)
    return decision


def respectful(decision: Decision, origin: Origin, near: Sequence[Near]) -> Decision:
    """`decision`, unless it would let a weaker origin change what a stronger one said."""
    if decision.action not in (Action.UPDATE, Action.REPLACE, Action.DELETE):
        return decision
    target = next(one.memory for one in near if one.memory.id == decision.target)
    if weakest([origin, target.origin]) is target.origin:
        return decision
    if decision.action is Action.DELETE:
        return Decision(Action.NOOP, "weaker_origin", target.id)
    return Decision(Action.ADD, "weaker_origin")


def timely(decision: Decision, said_at: datetime, near: Sequence[Near]) -> Decision:
    """`decision`, unless it would let what was said earlier change what was said later.

    That is so when a turn is reflected upon late, or told again with the time it was first said.
    """
    if decision.action not in (Action.UPDATE, Action.REPLACE, Action.DELETE):
        return decision
    target = next(one.memory for one in near if one.memory.id == decision.target)
    if said_at >= heard_at(target):
        return decision
    return Decision(Action.NOOP, "outdated", target.id)


def heard_at(memory: Memory) -> datetime:
    """When a memory was last said, as far as it knows."""
    said = memory.metadata.get(SAID_AT)
    return datetime.fromisoformat(said) if isinstance(said, str) else memory.validity.known_from


def confirms(origin: Origin, memory: Memory) -> bool:
    """Whether saying the same once more makes `memory` worth more."""
    return origin is not memory.origin and weakest([origin, memory.origin]) is memory.origin


def spared(decisions: Sequence[Decision]) -> Sequence[Decision]:
    """`decisions`, without the deletions nobody asked for if nearly all of many are that."""
    unasked = [one for one in decisions if one.because != ASKED]
    deletions = [one for one in unasked if one.action is Action.DELETE]
    if len(unasked) < MANY or len(deletions) <= MOSTLY * len(unasked):
        return decisions
    return [
        Decision(Action.NOOP, "too_many_deletions", one.target) if one in deletions else one
        for one in decisions
    ]


def removal(candidate: Candidate, near: Sequence[Near]) -> Decision:
    """What somebody asks to forget, or says no longer holds, is closed if it is there."""
    ends = candidate.wish is Wish.NEGATE
    held = [one for one in near if not ends or alike(candidate.text, one.memory.text)]
    best = next((one for one in held if meant(candidate.text, one)), None)
    if best is None:
        return Decision(Action.NOOP, "nothing_to_remove")
    because = ASKED if candidate.wish is Wish.FORGET else "no_longer"
    return Decision(Action.DELETE, because, best.memory.id)


def alike(text: str, known: str) -> bool:
    """Whether both say that something is so, or both that it is not: only such a one can end."""
    return denies(text) == denies(known)


def meant(text: str, one: Near) -> bool:
    """Whether `text` is about this memory, with all names and numbers that it names."""
    said, known = words(text), words(one.memory.text)
    if not details(text) <= details(one.memory.text):
        return False
    by_words = one.cosine >= MEANT_BY_WORDS and 2 * len(said & known) >= len(said)
    return one.cosine >= MEANT or by_words


def comparable(candidate: Candidate, memory: Memory) -> bool:
    """A core entry and a relation stand for themselves beside the fact that they come from."""
    apart = {Tier.CORE, Tier.RELATIONAL} & {candidate.tier, memory.tier}
    return not apart or (candidate.tier, candidate.key) == (memory.tier, memory.key)


def same_words(candidate: Candidate, memory: Memory) -> bool:
    return spelled(candidate.text) == spelled(memory.text)


def same_place(candidate: Candidate, memory: Memory) -> bool:
    """Whether both are the value of what can have only one."""
    if candidate.tier is Tier.CORE:
        return True
    there = memory.metadata.get("attribute")
    return candidate.attribute is not None and there == candidate.attribute


def nearly_the_same(candidate: Candidate, memory: Memory) -> Decision:
    if details(candidate.text) == details(memory.text):
        return Decision(Action.NOOP, "near_duplicate", memory.id)
    if candidate.kind is CandidateKind.EVENT:
        return Decision(Action.ADD, "another_event")
    opposed = negated(candidate.text) != negated(memory.text)
    if opposed and not contradicts(candidate.text, memory.text):
        return Decision(Action.ADD, "distinct")
    return Decision(Action.REPLACE, "detail_changed", memory.id)
