"""What a message says, statement by statement, with the marks by which each is judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memweaver.adapters.rules.answers import answered, echoed, replied
from memweaver.adapters.rules.clauses import SUBJECTS, Clause, clauses, ends_asking, owned
from memweaver.adapters.rules.language import Language
from memweaver.adapters.rules.marks import marks_of
from memweaver.adapters.rules.references import meant, whose
from memweaver.adapters.rules.voice import sentence, third, told

if TYPE_CHECKING:  # loading it takes seconds, and not everybody reflects
    from spacy.tokens import Doc, Span, Token

PARTICLES = frozenset({"away", "up", "down"})
ASIDE = frozenset({"advmod", "intj", "cc", "advcl", "npadvmod", "mark"})


@dataclass(frozen=True, slots=True)
class Heard:
    """A parsed message, who said it, and what was said before; `own` says by the same person."""

    doc: Doc
    name: str
    before: Sequence[tuple[Doc, bool]] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    text: str
    marks: frozenset[str]
    clause: Clause | None = field(default=None, compare=False)


def statements(heard: Heard, language: Language) -> list[Statement]:
    """All that is said of the speaker, worth remembering or not, each wording once."""
    found = [*by_context(heard, language)]
    for span in heard.doc.sents:
        found += in_sentence(span, heard, language)
    found += possessions(heard, language)
    return list({each.text.lower(): each for each in reversed(found) if each.text}.values())[::-1]


def by_context(heard: Heard, language: Language) -> Iterator[Statement]:
    if not heard.before or heard.before[-1][1]:
        return
    asked = heard.before[-1][0]
    if text := answered(asked, heard.doc, heard.name, language):
        yield Statement(text, frozenset({"way:answer"}))
    if text := replied(asked, heard.doc, heard.name, language):
        yield Statement(text, frozenset({"way:reply"}))
    if echoed(heard.doc, language):
        yield from list(plain(asked, heard, language))[-1:]


def plain(doc: Doc, heard: Heard, language: Language) -> Iterator[Statement]:
    """What the other said of themselves, as if the speaker had said it: "me too"."""
    for span in doc.sents:
        for clause in clauses(span):
            if clause.about == "self" and not clause.asked:
                text = told(kept(clause, language), heard.name, language)
                yield Statement(text, marks_of(clause, language) | {"way:echo"})


def in_sentence(span: Span, heard: Heard, language: Language) -> Iterator[Statement]:
    found = [clause for clause in clauses(span) if not clause.asked]
    own = [clause for clause in found if clause.about != "other" or favourite(clause)]
    for clause in found:
        yield from in_clause(clause, heard, language)
    if not own and not ends_asking(span):
        yield from (unparsed(span, heard, language), dropped(span, heard, language))


def in_clause(clause: Clause, heard: Heard, language: Language) -> Iterator[Statement]:
    words = kept(clause, language)
    if clause.about != "other":
        text, marks = resolved(clause, words, heard, language)
        yield Statement(text, marks | {"way:clause"}, clause)
    elif favourite(clause):
        pronoun = clause.subject.lower_ in language.words["pronouns"]
        of_what = frozenset({"way:favourite"} | ({"favourite:pronoun"} if pronoun else set()))
        yield Statement(told(words, heard.name, language), of_what, clause)
    elif who := whose(clause.subject, heard.doc, heard.before, language):
        yield of_another(who, clause, words, heard, language)


def of_another(
    who: Token, clause: Clause, words: Sequence[Token], heard: Heard, language: Language
) -> Statement:
    """What is said of "her" who was called "my sister" before."""
    rest = told([token for token in words if token.i > clause.subject.i], heard.name, language)
    marks = {"way:another", f"another:{clause.subject.lower_}", f"another:{clause.verb.tag_}"}
    marks |= {"another:be"} if clause.verb.lemma_ == "be" else set()
    text = f"{heard.name}'s {who.text.lower()} {rest[:1].lower()}{rest[1:]}" if rest else ""
    return Statement(text, frozenset(marks), clause)


def resolved(
    clause: Clause, words: list[Token], heard: Heard, language: Language
) -> tuple[str, frozenset[str]]:
    """The clause in the third person; "it" and "them" replaced where it is plain what is meant."""
    marks = marks_of(clause, language)
    pronoun, noun = meant(clause, words, heard.doc, heard.before, language)
    if pronoun is None or noun is None:
        return told(words, heard.name, language), marks
    place = words.index(pronoun)
    parts = [told(words[:place], heard.name, language), noun]
    parts.append(told(words[place + 1 :], heard.name, language).lower())
    text = sentence(" ".join(part.rstrip(".") for part in parts if part))
    return text, (marks - {"pronoun", "pronoun:object"}) | {"resolved"}


def kept(clause: Clause, language: Language) -> list[Token]:
    """The words of a clause without those that only keep the talk going."""
    return [token for token in clause.tokens if not filler(token, language)]


def filler(token: Token, language: Language) -> bool:
    if token.lower_ not in language.words["fillers"] or token.dep_ not in ASIDE:
        return False
    weighty = {"too": token.head.i > token.i, "well": token.head.i < token.i}
    return not weighty.get(token.lower_, False)


def favourite(clause: Clause) -> bool:
    """Whether it is like "blue is my favourite colour"."""
    attributes = (child for child in clause.verb.children if child.dep_ == "attr")
    return clause.about == "other" and clause.verb.lemma_ == "be" and any(map(owned, attributes))


def unparsed(span: Span, heard: Heard, language: Language) -> Statement:
    """A sentence in the first person that the parser made nothing of."""
    first = any(token.lower_ == "i" for token in span)
    words = [token for token in span if token.dep_ != "intj"] if first else []
    return Statement(told(words, heard.name, language), frozenset({"way:unparsed"}))


def dropped(span: Span, heard: Heard, language: Language) -> Statement:
    """People leave themselves out: "Love hiking!", "Just came back from Rome"."""
    words = [t for t in span if not t.is_punct and not filler(t, language) and t.dep_ != "intj"]
    if len(words) < 2 or words[0].i != span.root.i or list(clauses(span)):  # noqa: PLR2004 - a verb and more
        return Statement("", frozenset())
    verb = words[0]
    said = {"VBG": f"is {verb.lower_}", "VBD": verb.lower_}.get(verb.tag_)
    if said is None and verb.lemma_ in language.words["likes"]:
        said = third(verb.lemma_, language)
    if said is None or verb.pos_ != "VERB":
        return Statement("", frozenset())
    rest = told(words[1:], heard.name, language).replace(f"{heard.name}'s", "their")
    rest = rest if words[1].pos_ == "PROPN" else f"{rest[:1].lower()}{rest[1:]}"
    return Statement(
        f"{heard.name} {said} {rest}", frozenset({"way:dropped", f"dropped:{verb.tag_}"})
    )


def possessions(heard: Heard, language: Language) -> Iterator[Statement]:
    """What is called one's own is there: "with my two dogs"."""
    for token in heard.doc:
        noun = token.head
        if token.lower_ in {"my", "our"} and token.dep_ == "poss" and noun.pos_ == "NOUN":
            name = noun.lemma_.lower()
            given_up = language.has("ending", token.sent.text) or gone(noun, language)
            liked = any(language.has("favoured", child.text) for child in noun.children)
            if name not in language.words["never_owned"] and not given_up and not liked:
                marks = {"way:have", f"have:{name}"}
                yield Statement(having(token, noun, heard.name, language), frozenset(marks))


def gone(noun: Token, language: Language) -> bool:
    """Whether it is said that one has it no longer: sold, lost, dead."""
    verb = noun.head.head if noun.dep_ == "pobj" else noun.head
    beside = [child.lower_ for child in verb.children if child.lower_ in PARTICLES]
    way = "died" if noun.dep_ in SUBJECTS else "parted"
    return language.has(way, " ".join([verb.lemma_.lower(), *beside]))


def said_anyway(statement: Statement, told: Sequence[str]) -> bool:
    """Whether it only says that somebody is had of whom more is `told`: "User's sister Ada …"."""
    had = [mark.removeprefix("have:") for mark in statement.marks if mark.startswith("have:")]
    who = statement.text.partition(" ")[0].lower()
    return any(text.lower().startswith(f"{who}'s {name} ") for name in had for text in told)


def having(owner: Token, noun: Token, name: str, language: Language) -> str:
    inner = [c for c in noun.children if owner.i < c.i < noun.i and c.dep_ != "punct"]
    words = [c.text for c in inner if c.lower_ not in {"own", "old"}] + [noun.lower_]
    counted = noun.tag_ == "NNS" or any(c.dep_ == "nummod" for c in inner)
    article = "" if counted else "an " if words[0][0].lower() in "aeiou" else "a "
    return sentence(f"{name} {third('have', language)} {article}{' '.join(words)}")
