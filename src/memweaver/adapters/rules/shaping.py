"""What kind of memory a statement becomes."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from memweaver.adapters.rules.commands import candidate
from memweaver.adapters.rules.dating import Telling, absolute, starts, weekly
from memweaver.adapters.rules.language import Language
from memweaver.adapters.rules.statements import Statement
from memweaver.domain.candidate import Candidate, CandidateKind, Wish
from memweaver.domain.memory import Tier
from memweaver.domain.origin import Authority

IMPORTANCE = {
    CandidateKind.FACT: 0.6,
    CandidateKind.PREFERENCE: 0.5,
    CandidateKind.ROUTINE: 0.5,
    CandidateKind.EVENT: 0.6,
}
HEALTH = 0.8
UNSURE = frozenset({"negated", "pronoun", "you", "place:relcl", "place:advcl"})
"""Marks of what does not stand on its own."""
TIERS = {CandidateKind.EVENT: Tier.EPISODIC, CandidateKind.ROUTINE: Tier.PROCEDURAL}


def shaped(
    text: str, rate: float, *, source: str, telling: Telling, language: Language
) -> Candidate:
    """The candidate for a statement that is worth it."""
    if ended := language.found("ended", text):
        text = f"{ended['who']} {ended['what']}"
    start = starts(text, telling)
    kind = kind_of(text, start, telling, language)
    liked = kind is CandidateKind.PREFERENCE
    return Candidate(
        text=absolute(text, telling),
        kind=kind,
        tier=TIERS.get(kind, Tier.SEMANTIC),
        source=source,
        wish=Wish.NEGATE if ended else Wish.KEEP,
        attribute=attribute_of(text, language) if kind is CandidateKind.FACT else None,
        authority=Authority.PREFERENCE if liked else Authority.FACT,
        importance=HEALTH if language.has("health", text) else IMPORTANCE[kind],
        confidence=round(min(rate, 0.95), 2),
        valid_from=start if kind is CandidateKind.EVENT else None,
    )


def implied(told: Candidate, language: Language) -> Iterator[Candidate]:
    """The standing facts that an event leaves behind."""
    for one in language.implied if told.kind is CandidateKind.EVENT else ():
        if found := one.pattern.search(told.text):
            fact = candidate(one, found.groupdict(), language.user, told.source)
            yield replace(fact, confidence=told.confidence, valid_from=told.valid_from)


def left_of(ended: Candidate, language: Language) -> Iterator[Candidate]:
    """What is worth telling although, or because, it no longer holds."""
    forms = language.voice.get("ended", ()) if ended.wish is Wish.NEGATE else ()
    for find, put in forms:
        text = re.sub(find, put, ended.text, count=1)
        if text != ended.text:
            yield replace(ended, text=text, wish=Wish.KEEP, attribute=None)
            return


def kind_of(
    text: str, start: datetime | None, telling: Telling, language: Language
) -> CandidateKind:
    if repeated(text, telling, language):
        return CandidateKind.ROUTINE
    if start is not None and attribute_of(text, language) != "birthday":
        return CandidateKind.EVENT
    return CandidateKind.PREFERENCE if language.has("preference", text) else CandidateKind.FACT


def repeated(text: str, telling: Telling, language: Language) -> bool:
    return weekly(text, telling) or language.has("routine", text)


def attribute_of(text: str, language: Language) -> str | None:
    """What of the speaker can have but one value, if it is that which `text` tells."""
    kinds = (name for name in language.patterns if name.startswith("attribute_"))
    found = next((name for name in kinds if language.has(name, text)), None)
    return found.removeprefix("attribute_") if found else None


def plain(statement: Statement, telling: Telling, language: Language) -> bool:
    """Whether it is of those that are always kept: who and where one is, dates, routines."""
    clause = statement.clause
    if always(statement, language):
        return True
    if clause is None or clause.about != "self" or not statement.marks.isdisjoint(UNSURE):
        return disliked(statement, language)
    text = statement.text
    if attribute_of(text, language) or repeated(text, telling, language):
        return True
    return starts(text, telling) is not None and not language.has("just_now", text)


def always(statement: Statement, language: Language) -> bool:
    """Whether it tells what matters most and is easily overlooked: what one cannot eat."""
    unsure = statement.marks & UNSURE - {"negated"}
    return statement.clause is not None and not unsure and language.has("always", statement.text)


def disliked(statement: Statement, language: Language) -> bool:
    """Whether it is like "I don't like olives": denied, but no less plain than liking them."""
    if statement.marks & UNSURE != {"negated"} or "that" in statement.marks:
        return False
    of_something = "nouns:0" not in statement.marks or "with:dobj" in statement.marks
    return of_something and language.has("preference", statement.text)
