"""What somebody said of themselves, in the third person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memweaver.adapters.rules.clauses import FIRST, OWN, SUBJECTS, VERBS, misread
from memweaver.adapters.rules.language import Language

if TYPE_CHECKING:  # loading it takes seconds, and not everybody reflects
    from spacy.tokens import Token

CLOSE = re.compile(r"\s+([.,;:!?%)\]]|'s\b)|(?<=[(\[#$])\s+")
HYPHEN = re.compile(r"(?<=\w)\s+-\s+(?=\w)")
EDGES = " ,;:-.!?\"'("


def told(tokens: Sequence[Token], name: str, language: Language) -> str:
    """`tokens` as a sentence about the speaker, who is called `name`."""
    said, named = list[str](), False
    for token in tokens:
        word, named = spoken(token, name, language, named=named)
        opened = said and token.is_sent_start and token.pos_ != "PROPN" and word != name
        said.append(f"{word[:1].lower()}{word[1:]}" if opened else word)
    return sentence(" ".join(word for word in said if word))


def sentence(text: str) -> str:
    text = HYPHEN.sub("-", CLOSE.sub(lambda match: match[1] or "", text)).strip(EDGES)
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def spoken(token: Token, name: str, language: Language, *, named: bool) -> tuple[str, bool]:
    """The word for `token`, and whether the speaker has been named by now."""
    word, voice = token.lower_, language.voice
    if word in FIRST:
        return name, True
    if word in OWN:
        return (voice["their"] if named else f"{name}'s"), True
    if word in voice["pronouns"]:
        return voice["pronouns"][word].format(name=name), named
    if token.pos_ in VERBS or word in voice["third"]:
        return verb(token, language), named
    return voice["spelt"].get(word, token.text), named


def verb(token: Token, language: Language) -> str:
    word = token.lower_
    if finite(token) and said_of_first(token):
        return third(word, language)
    return str(language.voice["spelt"].get(word, token.text))


def finite(token: Token) -> bool:
    """Whether a verb shows its person; what the tagger calls "VB" may do so too."""
    if misread(token):
        return False
    if token.tag_ == "VBP" or token.lower_ in {"am", "'m", "were"}:
        return True
    helped = any(child.dep_ in {"aux", "auxpass"} for child in token.children)
    return token.tag_ == "VB" and token.dep_ in {"ROOT", "ccomp", "conj"} and not helped


def said_of_first(token: Token) -> bool:
    """Whether the subject of a verb, or of the verb it helps or is joined to, is the speaker."""
    subjects = [child for child in token.children if child.dep_ in SUBJECTS]
    if subjects:
        return any(each.lower_ in FIRST for one in subjects for each in (one, *one.conjuncts))
    return token.dep_ in {"aux", "auxpass", "conj"} and said_of_first(token.head)


def third(word: str, language: Language) -> str:
    """A verb in the third person: "have" becomes "has", "watch" becomes "watches"."""
    if word in language.voice["third"]:
        return str(language.voice["third"][word])
    endings = language.voice["endings"]
    return next((re.sub(end, put, word) for end, put in endings if re.search(end, word)), word)
