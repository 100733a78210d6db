"""The marks of a clause by which it is judged: what it is made of, not what it is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memweaver.adapters.rules.clauses import Clause
from memweaver.adapters.rules.language import Language

if TYPE_CHECKING:  # loading it takes seconds, and not everybody reflects
    from spacy.tokens import Token

COMPLEMENTS = frozenset(
    {"dobj", "attr", "acomp", "prep", "xcomp", "advmod", "ccomp", "oprd", "npadvmod", "dative"}
)
NAMED = frozenset({"GPE", "ORG", "PERSON", "NORP", "LOC"})
LENGTHS = ((2, "2"), (3, "3"), (5, "5"), (9, "9"), (14, "14"))


def marks_of(clause: Clause, language: Language) -> frozenset[str]:
    return frozenset(
        {*of_verb(clause), *of_complements(clause, language), *of_words(clause, language)}
    )


def of_verb(clause: Clause) -> Iterator[str]:
    verb = clause.verb
    helping = [c.lemma_.lower() for c in verb.children if c.dep_ in {"aux", "auxpass"}]
    yield f"about:{clause.about}"
    yield f"verb:{verb.lemma_.lower()}"
    yield "tense:" + "+".join([verb.tag_, *helping])
    yield f"place:{verb.dep_}"
    if clause.shared:
        yield "shared"
    for child in verb.children:
        if child.dep_ == "neg":
            yield "negated"
        if child.dep_ in {"mark", "advmod"} and child.i < clause.subject.i:
            yield f"led:{child.lower_}"
        elif child.dep_ == "advmod" and child.i < verb.i:
            yield f"adverb:{child.lower_}"
    if verb.dep_ in {"ccomp", "advcl", "relcl"}:
        yield f"under:{verb.head.lemma_.lower()}"


def of_complements(clause: Clause, language: Language) -> Iterator[str]:
    verb = clause.verb
    after = [c for c in verb.children if c.dep_ in COMPLEMENTS and c.i > verb.i]
    if not after:
        yield "bare"
    for child in after:
        yield f"with:{child.dep_}"
        if verb.lemma_ == "be":
            yield f"be:{child.dep_}"
            if child.lower_ in language.words["states"]:
                yield "state"
        if child.dep_ == "xcomp":
            yield f"{verb.lemma_.lower()}:to"
        if child.lower_ in language.words["pronouns"]:
            yield "pronoun:object"


def of_words(clause: Clause, language: Language) -> Iterator[str]:
    words = [token for token in clause.tokens if not token.is_punct]
    lower = {token.lower_ for token in words if not of_a_day(token)}
    yield "length:" + next((name for most, name in LENGTHS if len(words) <= most), "more")
    yield f"nouns:{min(nouns(clause), 3)}"
    for kind in ("you", "we", "that", "pronouns", "passing", "kin"):
        if lower & language.words[kind]:
            yield "pronoun" if kind == "pronouns" else kind
    if any(token.ent_type_ in NAMED for token in words):
        yield "named"
    if any(token.like_num for token in words):
        yield "number"
    if clause.about == "own":
        yield f"own:{own_kind(clause.subject, language)}"


def of_a_day(token: Token) -> bool:
    """Whether it only says which day: "this Thursday"."""
    return token.dep_ == "det" and token.ent_type_ == "DATE"


def nouns(clause: Clause) -> int:
    return sum(t.pos_ in {"NOUN", "PROPN"} and t.i != clause.subject.i for t in clause.tokens)


def own_kind(subject: Token, language: Language) -> str:
    if language.has("favourite", " ".join(token.lower_ for token in subject.subtree)):
        return "favourite"
    return "kin" if subject.lower_ in language.words["kin"] else "else"
