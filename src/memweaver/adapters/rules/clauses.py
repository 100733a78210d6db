"""The clauses of a sentence in which people speak of themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loading it takes seconds, and not everybody reflects
    from spacy.tokens import Span, Token


SUBJECTS = frozenset({"nsubj", "nsubjpass"})
VERBS = frozenset({"VERB", "AUX"})
FIRST = frozenset({"i", "we"})
OWN = frozenset({"my", "our"})
RECURRING = frozenset({"every", "each"})
APART = frozenset({"conj", "parataxis", "dep", "intj"})
"""How a clause hangs on another that says something of its own."""
CLAUSAL = frozenset({"ccomp", "advcl", "relcl", "acl"})


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb, who it is said of, and the words that belong to both, in their order."""

    verb: Token
    subject: Token
    tokens: Sequence[Token]
    about: str
    """`self`: the speaker; `own`: somebody or something of the speaker's; `other`."""
    shared: bool
    """The subject is named in another clause."""

    @property
    def past(self) -> bool:
        """Whether it tells of what was; "is planned" and "have got" do not."""
        helping = [child for child in self.verb.children if child.dep_ in {"aux", "auxpass"}]
        if any(token.tag_ == "VBD" for token in (self.verb, *helping)):
            return True
        if self.verb.tag_ != "VBN" or not helping:
            return self.verb.tag_ == "VBN"
        return self.verb.lower_ != "got" and any(child.lemma_ == "have" for child in helping)

    @property
    def asked(self) -> bool:
        """Whether it is a question, or the part of one that is asked."""
        return inverted(self) or (
            ends_asking(self.verb.sent) and last_word(self.verb.sent) in self.tokens
        )


def clauses(sentence: Span) -> Iterator[Clause]:
    heads = {head.i: (head, subject) for head in sentence if (subject := subject_of(head))}
    for head, subject in heads.values():
        if head.dep_ in {"aux", "auxpass"}:
            continue
        shared = subject.head.i != head.i
        kept = [token for token in words(head, subject, heads) if not shared or token.i > subject.i]
        tokens = [*subject.subtree, *kept] if shared else [*whole(kept), *fronted(head, subject)]
        yield Clause(head, subject, tokens, about(subject), shared)


def subject_of(verb: Token) -> Token | None:
    """The subject of a finite verb: its own, or the one of the verb it is joined to by "and"."""
    if verb.pos_ not in VERBS:
        return None
    own = next((child for child in verb.children if child.dep_ in SUBJECTS), None)
    if own is not None or verb.dep_ != "conj" or not alike(verb, verb.head):
        return own
    return subject_of(verb.head)


def alike(verb: Token, other: Token) -> bool:
    """Whether both are finite; "VB" is what the tagger makes of "get" in "I go and get"."""
    if misread(verb):
        return False
    if verb.tag_ == "VB":
        return other.tag_ in {"VBP", "VB"} and not any(c.dep_ == "aux" for c in other.children)
    return verb.tag_ != "VBG"


def misread(verb: Token) -> bool:
    """Whether it is a noun that was taken for a verb: "I am allergic to nuts and shellfish"."""
    joined = verb.dep_ == "conj" and verb.head.lemma_ == "be"
    return joined and verb.tag_ == "VB" and not any(verb.children)


def words(head: Token, subject: Token, heads: dict[int, tuple[Token, Token]]) -> list[Token]:
    """From the subject on, without the clauses that say something of their own."""
    first = min(token.i for token in subject.subtree)
    out = set[int]()
    for token in head.subtree:
        if token.i != head.i and token.i in heads and parts(token, head):
            out.update(each.i for each in token.subtree)
            out.update(before(token))
    return [token for token in head.subtree if token.i not in out and token.i >= first]


def whole(tokens: list[Token]) -> list[Token]:
    """Without the full stop, behind which more may come."""
    while tokens and tokens[-1].is_punct:
        tokens = tokens[:-1]
    return tokens


def fronted(head: Token, subject: Token) -> list[Token]:
    """When it is, if that is said first: "next Friday I fly"."""
    first = min(token.i for token in subject.subtree)
    led = [c for c in head.children if c.i < first and c.dep_ in {"npadvmod", "prep"}]
    timed = [c for c in led if any(map(timing, c.subtree))]
    return [token for child in timed for token in child.subtree if not token.is_punct]


def timing(token: Token) -> bool:
    return token.ent_type_ in {"DATE", "TIME"} or token.lower_ in RECURRING


def parts(other: Token, head: Token) -> bool:
    """Whether the clause of `other` stands apart from that of `head` on which it hangs."""
    if other.i < head.i or other.dep_ in APART:
        return True
    start = other.left_edge
    comma = start.i > head.i and start.nbor(-1).is_punct
    return other.dep_ in CLAUSAL and (comma or run_on(other, head))


def run_on(other: Token, head: Token) -> bool:
    """Whether `other` begins a new sentence where the speaker set no full stop."""
    return other.dep_ == "ccomp" and head.lemma_ == "be" and not marked(other)


def marked(verb: Token) -> bool:
    return any(child.dep_ in {"mark", "advmod"} and child.i < verb.i for child in verb.children)


def before(token: Token) -> Iterator[int]:
    """The comma and the "and" that lead to the clause of `token`."""
    place = token.left_edge.i - 1
    while place > token.sent.start and (token.doc[place].is_punct or token.doc[place].dep_ == "cc"):
        yield place
        place -= 1


def about(subject: Token) -> str:
    members = [subject, *subject.conjuncts]
    if any(each.lower_ in FIRST for each in members):
        return "self"
    return "own" if any(owned(each) for each in members) else "other"


def owned(noun: Token) -> bool:
    """Whether it is the speaker's: "my dog", "one of my dogs", "a friend of mine"."""
    near = [child for child in noun.children if child.dep_ in {"poss", "prep"}]
    inner = [grand for child in near if child.dep_ == "prep" for grand in child.children]
    return any(
        each.lower_ in OWN or each.lower_ == "mine" or any(c.lower_ in OWN for c in each.children)
        for each in [*near, *inner]
    )


def inverted(clause: Clause) -> bool:
    """Whether the verb comes before the one it is said of: "do I", "am I"."""
    helping = [child for child in clause.verb.children if child.dep_ in {"aux", "auxpass"}]
    first = min([clause.verb, *helping], key=lambda token: token.i)
    return not clause.shared and first.i < clause.subject.i


def ends_asking(sentence: Span) -> bool:
    return sentence.text.rstrip().endswith("?")


def last_word(sentence: Span) -> Token | None:
    return next((token for token in reversed(list(sentence)) if not token.is_punct), None)
