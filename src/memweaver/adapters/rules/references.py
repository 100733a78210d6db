"""Whom and what people mean by "she" and "it", where it was said just before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from memweaver.adapters.rules.clauses import FIRST, OWN, VERBS, Clause, subject_of
from memweaver.adapters.rules.language import Language

if TYPE_CHECKING:  # loading it takes seconds, and not everybody reflects
    from spacy.tokens import Doc, Span, Token

PLURAL = frozenset({"NNS", "NNPS"})
MANY = frozenset({"them", "those", "these", "they"})
MEANT = frozenset({"it", "them", "those", "that", "one"})

Before: TypeAlias = "Sequence[tuple[Doc, bool]]"


def whose(pronoun: Token, doc: Doc, before: Before, language: Language) -> Token | None:
    """The last of the speaker's people or animals that `pronoun` may stand for."""
    if pronoun.lower_ not in {"he", "she", "they"}:
        return None
    here = [noun for noun in mentioned(doc, language, own=True) if noun.i < pronoun.i]
    earlier = [noun for said, own in before for noun in mentioned(said, language, own=own)]
    fitting = [noun for noun in [*earlier, *here] if fits(pronoun.lower_, noun, language)]
    return fitting[-1] if fitting else None


def mentioned(doc: Doc, language: Language, *, own: bool) -> Iterator[Token]:
    """The speaker's own: "my dog", "I have a dog"; in another's mouth "your dog"."""
    owners = OWN if own else {"your"}
    for noun in doc:
        if noun.pos_ not in {"NOUN", "PROPN"}:
            continue
        owned = any(c.dep_ == "poss" and c.lower_ in owners for c in noun.children)
        if owned or (own and had(noun) and living(noun, language)):
            yield noun


def had(noun: Token) -> bool:
    verb = noun.head
    if noun.dep_ != "dobj" or verb.pos_ not in VERBS or verb.lemma_ not in {"have", "own", "get"}:
        return False
    subject = subject_of(verb)
    return subject is not None and subject.lower_ in FIRST


def living(noun: Token, language: Language) -> bool:
    return any(noun.lemma_.lower() in language.words[kind] for kind in ("she", "he", "either"))


def fits(pronoun: str, noun: Token, language: Language) -> bool:
    name, many = noun.lemma_.lower(), noun.tag_ in PLURAL
    if pronoun == "they":
        return name == "family" or (many and (living(noun, language) or name == "parent"))
    return not many and name in language.words[pronoun] | language.words["either"]


def meant(
    clause: Clause, words: Sequence[Token], doc: Doc, before: Before, language: Language
) -> tuple[Token | None, str | None]:
    """The pronoun that a clause has for an object, and the noun it most likely stands for."""
    verb = clause.verb
    objects = [c for c in verb.children if c.dep_ == "dobj"]
    objects += [each for c in verb.children if c.dep_ == "prep" for each in c.children]
    pronoun = next((each for each in objects if each.lower_ in MEANT and each in words), None)
    if pronoun is None:
        return None, None
    many, start = pronoun.lower_ in MANY, verb.sent.start
    here = [chunk for chunk in nouns(doc, language, many=many) if chunk.end <= start]
    if here:
        return pronoun, phrase(here[-1], own=True)
    if not before:
        return pronoun, None
    said, own = before[-1]
    chunks = list(nouns(said, language, many=many))
    return pronoun, phrase(chunks[-1], own=own) if chunks else None


def nouns(doc: Doc, language: Language, *, many: bool) -> Iterator[Span]:
    for chunk in doc.noun_chunks:
        root = chunk.root
        plural = root.tag_ in PLURAL or any(c.dep_ == "conj" for c in root.children)
        named = root.pos_ in {"NOUN", "PROPN"} and root.dep_ not in {"npadvmod", "intj"}
        if named and plural == many and root.lower_ not in language.words["vague"]:
            yield chunk


def phrase(chunk: Span, *, own: bool) -> str | None:
    """As it is called in the third person: "their old car" for "my", or another's "your"."""
    words = list[str]()
    for token in chunk:
        word = token.text if token.pos_ == "PROPN" else token.lower_
        if token.lower_ in OWN | {"your"}:
            word = "their" if own == (token.lower_ in OWN) else ""
        words.append(word)
    return " ".join(word for word in words if word) or None
