"""What a short answer says, read together with the question it answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memweaver.adapters.rules.clauses import ends_asking
from memweaver.adapters.rules.language import Language
from memweaver.adapters.rules.voice import sentence, third

if TYPE_CHECKING:  # loading it takes seconds, and not everybody reflects
    from spacy.tokens import Doc

LONGEST = 12
"""Words of an answer that is no sentence."""


def answered(asked: Doc, answer: Doc, name: str, language: Language) -> str | None:
    """The question as a statement, or its contrary: "Do you like jazz?", "Yes"."""
    question = last_question(asked)
    found = language.patterns["yes_no_question"].search(question)
    if not found or language.has("no_plain_question", question):
        return None
    yes, no = language.has("yes", answer.text), language.has("no", answer.text)
    if yes == no:
        return None
    rest = turned(found["rest"], language)
    return stated(found["helper"].lower(), rest, name, language, yes=yes) if rest else None


def turned(rest: str, language: Language) -> str:
    """What was asked of "you", said of "them"."""
    for find, put in language.voice["turned"]:
        rest = re.sub(find, put, rest, flags=re.IGNORECASE)
    return rest.strip(" ,?")


def stated(helper: str, rest: str, name: str, language: Language, *, yes: bool) -> str | None:
    if helper == "do" and yes:
        verb, _, after = rest.partition(" ")
        after = re.sub(r"\bany ", "", after)
        return sentence(f"{name} {third(verb.lower(), language)} {after}")
    form = language.voice["answers"].get(f"{helper} {'yes' if yes else 'no'}")
    return sentence(form.format(name=name, rest=rest)) if form else None


def replied(asked: Doc, answer: Doc, name: str, language: Language) -> str | None:
    """The answer put into the question: "What is your favourite food?", "Tacos"."""
    question, fragment = last_question(asked), fragment_of(answer, language)
    if not question or not fragment:
        return None
    for find, form in language.voice["replies"]:
        if found := re.search(find, question, re.IGNORECASE):
            parts = {key: value or "" for key, value in found.groupdict().items()}
            verb = third(parts.pop("verb", "").lower(), language)
            return sentence(form.format(name=name, answer=fragment, verb=verb, **parts))
    return None


def fragment_of(answer: Doc, language: Language) -> str | None:
    """The first thing said, if it is no sentence but names something."""
    for span in answer.sents:
        text = language.patterns["opening"].sub("", span.text).strip(" .!,")
        if not text:
            continue
        verbs = any(token.pos_ in {"VERB", "AUX"} and token.tag_ != "VBG" for token in span)
        names = any(token.pos_ in {"NOUN", "PROPN", "NUM", "VERB"} for token in span)
        short = len(text.split()) <= LONGEST
        whole = names and short and not verbs and not ends_asking(span)
        plain = whole and not language.has("no_answer", text)
        return re.sub(r"\bmy\b", "their", text, flags=re.IGNORECASE) if plain else None
    return None


def echoed(answer: Doc, language: Language) -> bool:
    """Whether the speaker says the same of themselves as the other just did."""
    return language.has("me_too", answer.text)


def last_question(doc: Doc) -> str:
    """What is asked at the end of a message, if it ends in a question."""
    text = doc.text.rstrip()
    return re.split(r"(?<=[.!?])\s+", text)[-1] if text.endswith("?") else ""
